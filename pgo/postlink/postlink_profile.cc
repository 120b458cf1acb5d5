#include "pgo/postlink/postlink_profile.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "converters/bolt_yaml/bolt_yaml.h"
#include "converters/fdata/fdata.h"
#include "converters/llvm_sample/profile_digest.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/binary/binary_set.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/ingest/inconvertible.h"
#include "pgo/ingest/ingest.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/ingest/sample_choice.h"
#include "pgo/postlink/reported_evidence.h"
#include "pgo/source/input_files.h"

namespace pgo {
namespace {

using Kind = PostlinkProfileKind;

Failure unusable(const InputBytes& input) {
  Bytes bytes = input.file();
  const std::string& path = input.path();
  std::string_view text = as_text(bytes);
  auto by_line = [&](const char* kind) {
    return fail(ErrorKind::kUsage,
                path + ": is " + kind +
                    ", which counts lines and functions, and llvm-bolt needs branches by address",
                "give the recording it was made from, or the fdata that 'pgo convert' makes from "
                "that");
  };
  if (bytes.empty()) return fail(ErrorKind::kUsage, path + ": is empty", "was it cut short?");
  if (text.starts_with("adcg") || text.starts_with("gcda") || text.starts_with("*704"))
    return by_line("a profile for GCC");
  if (text.starts_with("\xfflprofi\x81") || text.starts_with("\x81rforpl\xff"))
    return by_line("a profile of instrumented code");
  if (input.format() && is_llvm_profile(*input.format()))
    return by_line("a profile for the compiler");
  return fail(describe_inconvertible(input));
}

// The kind of a plain file; other arguments (directories, lists, globs) are recordings.
Result<std::optional<Kind>> kind_of(const std::string& argument, std::optional<InputBytes>& file) {
  std::error_code ignored;
  if (argument != "-" && !std::filesystem::exists(argument, ignored)) return std::optional<Kind>();
  if (argument == "-" || std::filesystem::is_directory(argument, ignored))
    return std::optional<Kind>(Kind::kRecordings);
  PGO_TRY(InputBytes input, InputBytes::open(argument));
  std::optional<Kind> kind;
  if (input.format() == Format::kBoltYaml)
    kind = Kind::kYaml;
  else if (input.format() == Format::kFdata)
    kind = Kind::kFdata;
  else if (is_convertible(input))
    kind = Kind::kRecordings;
  else
    return unusable(input);
  if (*kind != Kind::kRecordings) file = std::move(input);
  return kind;
}

std::string id_text(const BuildId& id) { return id.empty() ? "no build ID" : id.hex(); }

// May recordings of `recorded` be counted for `binary`?
Result<void> check_recorded(const ElfImage& binary, const ElfImage& recorded) {
  if (recorded.build_id().matches(binary.build_id())) return ok();
  if (!recorded.build_id().matches_bolted(binary.build_id()))
    return fail(ErrorKind::kMismatch,
                recorded.path() + " (" + id_text(recorded.build_id()) + ") was not made from " +
                    binary.path() + " (" + id_text(binary.build_id()) + ")",
                "name the file that llvm-bolt made from exactly this one");
  if (!has_address_translation(recorded))
    return fail(
        ErrorKind::kMismatch,
        recorded.path() +
            ": has no address translation table, so its recordings cannot be translated to " +
            binary.path(),
        "was it stripped? give the unstripped file, which still has the table; otherwise "
        "run llvm-bolt with -enable-bat, as 'pgo bolt' does, or record " +
            binary.path());
  return ok();
}

// What perf2bolt reads: the traces of `recorded`, or, where llvm-bolt made that, of its input.
Result<std::string> write_traces(const BinaryCounts& counts, const Binary& recorded,
                                 const PostlinkProfileOptions& options, PostlinkProfile& profile) {
  if (options.recorded.empty() || !has_address_translation(*recorded.image))
    return write_preaggregated(counts);
  PGO_TRY(Binary input, open_binary(options.binary, {}, BinaryUse::kCounts));
  PGO_TRY(TranslatedCounts translated,
          translate_counts(without_newest_branches(counts), recorded.target(), input.target()));
  profile.moved = {recorded.image->path(), options.binary, translated.report};
  return write_preaggregated(translated.counts);
}

Result<PostlinkProfile> convert_recordings(const PostlinkProfileFiles& files,
                                           const PostlinkProfileOptions& options) {
  const std::string& ran = options.recorded.empty() ? options.binary : options.recorded;
  PGO_TRY(Perf2bolt perf2bolt, options.perf2bolt);
  PGO_TRY(BinarySet binaries, BinarySet::open({ran}, {}, BinaryUse::kCounts));
  const Binary& recorded = binaries.binaries()[0];
  const ElfImage& image = *recorded.image;
  if (!options.recorded.empty()) {
    PGO_TRY(ElfImage binary, ElfImage::open(options.binary));
    PGO_CHECK(check_recorded(binary, image));
  }
  PGO_TRY(std::vector<InputFile> inputs, find_input_files(files.arguments));
  PGO_TRY(IngestResult input,
          ingest({std::move(inputs), options.read, options.progress}, binaries));
  if (!input.symbolized.stacks.empty())
    return fail(ErrorKind::kUnsupported,
                "the samples name functions and lines, and llvm-bolt needs addresses",
                "fetch the profiles unsymbolized, or record");
  PGO_TRY(std::optional<Inference> inference,
          infer_from_pc_samples(input.profile, binaries, options.read.jobs));
  if (auto error = diagnose_empty({input.profile, binaries, input.images, input.wrong_builds})) {
    auto relative = input.images.find_bolt_relative(image.build_id());
    if (relative && options.recorded.empty())
      return fail(
          ErrorKind::kMismatch,
          "the recorded binary is " + *relative + ", which llvm-bolt made from " + options.binary,
          "name it with \xFF{binary} " + *relative);
    return fail(*error);
  }
  PostlinkProfile profile;
  profile.kind = Kind::kRecordings;
  if (input.proves_build(image.build_id())) profile.identity = BuildIdentity::kProven;
  PGO_TRY(std::string text, write_traces(input.profile.binaries[0], recorded, options, profile));
  PGO_TRY(Perf2boltOutput output,
          run_perf2bolt(perf2bolt, text, profile.moved ? options.binary : ran, options.limits,
                        profile.identity));
  profile.contents = std::move(output.fdata);
  profile.converted = std::move(output);
  profile.evidence = inference ? inference->evidence() : input.evidence_of_branches();
  if (inference) profile.quality = inference->quality();
  profile.inference = std::move(inference);
  input.profile.binaries.clear();
  profile.counted = std::move(input.profile);
  return profile;
}

Result<PostlinkProfile> take_yaml(const InputBytes& file, const PostlinkProfileOptions& options) {
  PGO_TRY(ElfImage binary, ElfImage::open(options.binary));
  BuildId id = bolt_yaml_build_id(file.file());
  if (!id.empty() && !binary.build_id().empty() && !id.matches(binary.build_id()))
    return fail(ErrorKind::kMismatch,
                file.path() + ": is a profile of build " + id.hex() + ", but " + options.binary +
                    " is build " + binary.build_id().hex(),
                "record this build, optimize that one, or name that one with \xFF{stale}");
  PostlinkProfile profile;
  profile.contents = std::string(as_text(file.file()));
  profile.kind = Kind::kYaml;
  return profile;
}

Result<PostlinkProfile> take_fdata(const InputBytes& file) {
  PGO_TRY(FdataProfile counts, parse_fdata(file.file(), file.path()));
  if (counts.total_count() == 0)
    return fail(ErrorKind::kEmpty, file.path() + ": has no counts: every record in it is 0");
  PostlinkProfile profile;
  profile.contents = std::string(as_text(file.file()));
  profile.kind = Kind::kFdata;
  if (std::optional<ReportedEvidence> reported =
          find_reported_evidence(file.path(), profile_digest(file.file()))) {
    profile.evidence = reported->evidence;
    profile.quality = reported->quality;
    profile.report = reported->report;
  }
  return profile;
}

}  // namespace

Result<PostlinkProfileFiles> find_postlink_profile(const std::vector<std::string>& arguments) {
  PostlinkProfileFiles files;
  files.arguments = arguments;
  PGO_TRY(std::vector<InputFile> all, find_input_files(arguments));
  for (const InputFile& input : all) {
    if (input.from_directory) continue;
    std::error_code ignored;
    if (input.path != "-" && !std::filesystem::exists(input.path, ignored))
      return fail(ErrorKind::kUsage, input.path + ": no such profile");
    std::optional<InputBytes> file;
    PGO_TRY(std::optional<Kind> kind, kind_of(input.path, file));
    if (!file || !kind) continue;
    if (all.size() != 1)
      return fail(
          ErrorKind::kUsage, input.path + ": cannot be combined with other profiles",
          "merge several of its kind with merge-fdata, or give recordings, which are added up");
    files.kind = *kind;
    files.file = std::move(file);
  }
  return files;
}

Result<PostlinkProfile> make_postlink_profile(const PostlinkProfileFiles& files,
                                              const PostlinkProfileOptions& options) {
  if (!files.file) return convert_recordings(files, options);
  PGO_CHECK(refuse_any_choice(files.file->path(), "BOLT profile",
                              "give the recordings that it was made from", options.read));
  return files.kind == Kind::kYaml ? take_yaml(*files.file, options) : take_fdata(*files.file);
}

}  // namespace pgo
