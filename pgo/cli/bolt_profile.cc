#include "pgo/cli/bolt_profile.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bolt/address_translation.h"
#include "bolt/bolt_yaml.h"
#include "bolt/fdata.h"
#include "bolt/preaggregated.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "pgo/cli/binary_set.h"
#include "pgo/cli/empty_profile.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/input_profile.h"
#include "pgo/cli/plain_samples.h"

namespace pgo {
namespace {

using Kind = BoltProfileFiles::Kind;

Failure unusable(Bytes bytes, const std::string& path) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const char* why =
      " says how often lines and functions ran, and llvm-bolt needs branches by address; give the "
      "recording it was made from, or the .fdata that 'pgo convert -o fdata:' makes of that";
  if (bytes.empty()) return fail(ErrorKind::kUsage, path + ": is empty; was it cut short?");
  if (text.starts_with("adcg") || text.starts_with("gcda") || text.starts_with("*704"))
    return fail(ErrorKind::kUsage, path + ": a profile for GCC" + why);
  if (text.starts_with("\xfflprofi\x81") || text.starts_with("\x81rforpl\xff"))
    return fail(ErrorKind::kUsage, path + ": a profile of instrumented code" + why);
  if (is_llvm_sample(bytes))
    return fail(ErrorKind::kUsage, path + ": a profile for the compiler" + why);
  return fail(ErrorKind::kUsage, tell_inconvertible_file(bytes, path));
}

// What a plain file is; the rest of input arguments (directories, lists, globs) are recordings.
Result<std::optional<Kind>> kind_of(const std::string& argument, std::optional<MappedFile>& file) {
  std::error_code ignored;
  if (argument != "-" && !std::filesystem::exists(argument, ignored)) return std::optional<Kind>();
  if (argument == "-" || std::filesystem::is_directory(argument, ignored))
    return std::optional<Kind>(Kind::kRecordings);
  PGO_TRY(MappedFile mapped, MappedFile::open(argument));
  Bytes bytes = mapped.bytes();
  std::optional<Kind> kind;
  if (is_bolt_yaml(bytes))
    kind = Kind::kYaml;
  else if (is_fdata(bytes))
    kind = Kind::kFdata;
  else if (is_convertible(bytes, find_file_kind(bytes)))
    kind = Kind::kRecordings;
  else
    return unusable(bytes, argument);
  if (*kind != Kind::kRecordings) file = std::move(mapped);
  return kind;
}

std::string id_text(const BuildId& id) { return id.empty() ? "no build id" : id.hex(); }

// `recorded` is what ran, by the user's word; may it speak for the binary?
Result<void> check_recorded(const ElfImage& binary, const ElfImage& recorded) {
  if (recorded.build_id().matches(binary.build_id())) return ok();
  if (!recorded.build_id().matches_bolted(binary.build_id()))
    return fail(ErrorKind::kMismatch, recorded.path() + " (" + id_text(recorded.build_id()) +
                                          ") was not made from " + binary.path() + " (" +
                                          id_text(binary.build_id()) +
                                          "): name what llvm-bolt made of that very file");
  if (!has_address_translation(recorded))
    return fail(ErrorKind::kMismatch,
                recorded.path() +
                    ": has no address translation table, so its recordings say nothing about " +
                    binary.path() +
                    "; was it stripped? give the unstripped file, which still has the table; "
                    "otherwise run llvm-bolt with -enable-bat, as 'pgo bolt' does, or record " +
                    binary.path());
  return ok();
}

Result<BoltProfile> convert_recordings(const BoltProfileFiles& files,
                                       const BoltProfileOptions& options) {
  const std::string& ran = options.recorded.empty() ? options.binary : options.recorded;
  PGO_TRY(Perf2bolt perf2bolt, options.perf2bolt);
  PGO_TRY(BinarySet binaries, BinarySet::open({ran}, {}));
  const ElfImage& image = *binaries.binaries()[0].image;
  if (!options.recorded.empty()) {
    PGO_TRY(ElfImage binary, ElfImage::open(options.binary));
    PGO_CHECK(check_recorded(binary, image));
  }
  perf_data::ReadOptions read;
  read.jobs = options.jobs;
  PGO_TRY(InputProfile input, read_input_profile(files.arguments, {}, binaries, read));
  if (!input.named.stacks.empty())
    return fail(ErrorKind::kUnsupported,
                "the samples name functions and lines, and llvm-bolt needs addresses: fetch the "
                "profiles unsymbolized, or record");
  PGO_TRY(std::optional<PlainSamples> plain,
          infer_from_plain_samples(input.profile, binaries, options.jobs));
  if (auto error = explain_if_empty(input.profile, binaries, input.images)) {
    auto relative = input.images.find_bolt_relative(image.build_id());
    if (relative && options.recorded.empty())
      return fail(ErrorKind::kMismatch, "what was recorded is " + *relative +
                                            ", which llvm-bolt made from " + options.binary +
                                            "; name that file as well: --recorded " + *relative);
    return fail(error->kind, error->message);
  }
  BoltProfile profile;
  profile.kind = "recordings";
  PGO_TRY(std::string text, write_preaggregated(input.profile.binaries[0]));
  PGO_TRY(Perf2boltOutput output, run_perf2bolt(perf2bolt, text, ran, options.terms));
  profile.contents = std::move(output.fdata);
  profile.converted = std::move(output);
  profile.plain = std::move(plain);
  input.profile.binaries.clear();
  profile.counted = std::move(input.profile);
  return profile;
}

std::string text_of(Bytes bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<BoltProfile> take_yaml(const MappedFile& file, const BoltProfileOptions& options) {
  PGO_TRY(ElfImage binary, ElfImage::open(options.binary));
  BuildId id = bolt_yaml_build_id(file.bytes());
  if (!id.empty() && !binary.build_id().empty() && !id.matches(binary.build_id()))
    return fail(
        ErrorKind::kMismatch,
        file.path() + ": is a profile of build " + id.hex() + ", but " + options.binary +
            " is build " + binary.build_id().hex() +
            "; record this build, optimise that one, or name that one with --stale (in CMake: "
            "BOLT_STALE)");
  return BoltProfile{text_of(file.bytes()), "BOLT YAML", std::nullopt, std::nullopt, std::nullopt};
}

Result<BoltProfile> take_fdata(const MappedFile& file) {
  PGO_TRY(FdataProfile profile, parse_fdata(file.bytes(), file.path()));
  if (profile.total_count() == 0)
    return fail(ErrorKind::kEmpty, file.path() + ": counts nothing: every record in it is 0");
  return BoltProfile{text_of(file.bytes()), "fdata", std::nullopt, std::nullopt, std::nullopt};
}

}  // namespace

Result<BoltProfileFiles> find_bolt_profile(const std::vector<std::string>& arguments) {
  BoltProfileFiles files;
  files.arguments = arguments;
  PGO_TRY(std::vector<InputFile> all, find_input_files(arguments));
  for (const InputFile& input : all) {
    if (input.from_directory) continue;
    std::error_code ignored;
    if (input.path != "-" && !std::filesystem::exists(input.path, ignored))
      return fail(ErrorKind::kUsage, input.path + ": no such profile");
    std::optional<MappedFile> file;
    PGO_TRY(std::optional<Kind> kind, kind_of(input.path, file));
    if (!file || !kind) continue;
    if (all.size() != 1)
      return fail(ErrorKind::kUsage, input.path +
                                         ": is complete, so it must be the only profile; "
                                         "merge-fdata joins several of its kind into one, and "
                                         "recordings add up as they are");
    files.kind = *kind;
    files.file = std::move(file);
  }
  return files;
}

Result<BoltProfile> make_bolt_profile(const BoltProfileFiles& files,
                                      const BoltProfileOptions& options) {
  if (!files.file) return convert_recordings(files, options);
  return files.kind == Kind::kYaml ? take_yaml(*files.file, options) : take_fdata(*files.file);
}

}  // namespace pgo
