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

namespace pgo {
namespace {

using Kind = PostlinkProfileKind;

Failure unusable(const InputBytes& input) {
  const std::optional<Format> format = input.format();
  if (format && (is_llvm_profile(*format) || is_gcc_profile(*format)))
    return fail(ErrorKind::kUsage,
                input.describe(", which counts lines and functions, and llvm-bolt needs branches "
                               "by address"),
                "give the recording it was made from, or the fdata that 'pgo convert' makes from "
                "that");
  return fail(describe_inconvertible(input));
}

Result<Kind> kind_of(const InputBytes& input) {
  if (input.format() == Format::kBoltYaml) return Kind::kYaml;
  if (input.format() == Format::kFdata) return Kind::kFdata;
  if (is_convertible(input)) return Kind::kRecordings;
  return unusable(input);
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
  PGO_TRY(IngestResult input, ingest({files.inputs, options.read, options.progress}, binaries));
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

Result<PostlinkProfileFiles> find_postlink_profile(std::vector<InputFile> inputs) {
  PostlinkProfileFiles files;
  files.inputs = std::move(inputs);
  for (const InputFile& input : files.inputs) {
    if (input.from_directory || input.path == "-") continue;
    std::error_code ignored;
    if (!std::filesystem::exists(input.path, ignored))
      return fail(ErrorKind::kUsage, input.path + ": no such profile");
    PGO_TRY(InputBytes file, InputBytes::open(input.path));
    PGO_TRY(const Kind kind, kind_of(file));
    if (kind == Kind::kRecordings) continue;
    if (files.inputs.size() != 1)
      return fail(
          ErrorKind::kUsage, input.path + ": cannot be combined with other profiles",
          "merge several of its kind with merge-fdata, or give recordings, which are added up");
    files.kind = kind;
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
