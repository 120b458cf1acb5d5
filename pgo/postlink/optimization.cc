#include "pgo/postlink/optimization.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "bolt/bolt_fitness.h"
#include "bolt/llvm_bolt.h"
#include "converters/llvm_sample/profile_digest.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/number_text.h"
#include "pgo/base/text_bytes.h"
#include "pgo/binary/binary.h"
#include "pgo/binary/debug_file.h"
#include "pgo/binary/profile_note.h"
#include "pgo/elf/bolt/layout_id.h"
#include "pgo/elf/note.h"
#include "pgo/postlink/profile_fit_check.h"
#include "pgo/postlink/request_check.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/bolt_evidence.h"
#include "pgo/source/file_identity.h"

namespace pgo {
namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;

// What is optimized, as it was linked.
struct LinkedBinary {
  ElfImage image;
  struct stat status{};
};

Result<LinkedBinary> open_input(const std::string& path) {
  PGO_TRY(ElfImage image, open_elf(path));
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || image.kind() == ElfImage::Kind::kOther)
    return fail(ErrorKind::kUsage, path + ": is not an executable or shared library",
                "name the file that the linker wrote");
  return LinkedBinary{std::move(image), status};
}

uint64_t code_size(const ElfImage& image) {
  uint64_t size = 0;
  for (const ElfImage::Section& section : image.sections())
    if (section.allocated && section.executable) size = saturating_add(size, section.size);
  return size;
}

// Not an AtomicFile, because the log is read when things go wrong: it starts empty, and what was
// printed stays in it when this process ends early. Without a path it drops everything.
Result<std::ofstream> start_log(const std::string& path) {
  std::ofstream log;
  if (path.empty()) return log;
  log.open(path, std::ios::trunc);
  if (!log) return fail(ErrorKind::kIo, path + ": cannot be written");
  return log;
}

Result<void> check_fitness(const ElfImage& input, const std::vector<std::string>& extra) {
  std::optional<BoltObstacle> obstacle = find_bolt_obstacle(input);
  if (!obstacle) return ok();
  // With -relocs the caller says how llvm-bolt is to deal with relocations.
  bool relocs_given = std::any_of(extra.begin(), extra.end(), [](const std::string& option) {
    return bolt_option_name(option) == "relocs";
  });
  if (obstacle->kind == BoltObstacle::Kind::kNoRelocations && relocs_given) return ok();
  return fail(ErrorKind::kUnsupported, input.path() + ": " + obstacle->what, obstacle->advice);
}

// llvm-bolt may report errors, and yet end well and write a result.
Result<void> check_no_errors(const BoltLog& log) {
  if (log.errors.empty()) return ok();
  std::string text;
  for (const std::string& error : log.errors) text += "\n  " + error;
  return fail(ErrorKind::kMismatch, "llvm-bolt wrote a result, but reports errors:" + text);
}

// Writes the profile's `digest` ("sha256:…") into `contents`, the bytes of `image`, if its note
// reserves space for it. The note is not part of the code.
void fill_bolt_digest(const ElfImage& image, const std::string& digest, std::string& contents) {
  std::optional<std::string_view> note = find_profile_note(image);
  std::optional<std::string_view> place = note ? find_bolt_digest_place(*note) : std::nullopt;
  size_t colon = digest.find(':');
  if (!place || digest.size() - colon - 1 != place->size()) return;
  auto offset = reinterpret_cast<const uint8_t*>(place->data()) - image.bytes().data();
  contents.replace(static_cast<size_t>(offset), place->size(), digest, colon + 1);
}

// A profile on its way to llvm-bolt.
struct ProfileText {
  std::string contents;
  std::string digest;  // before it was matched to another build
};

Error refuse_counts(const PostlinkProfile& profile, BoltEvidence verdict) {
  const std::string samples =
      profile.inference ? format_count(profile.inference->samples) + " " : "";
  const std::string report = profile.report.empty() ? "" : " (" + profile.report + ")";
  std::string found =
      "its counts were inferred from " + samples + std::string(evidence_words(profile.evidence));
  std::string record = "record branches (perf record -b, or pgo record \xFF{engine} step); ";
  if (profile.inference && profile.inference->step_samples != 0) {
    found += " and " + format_count(profile.inference->step_samples, "sample") +
             " by single steps (too few to count as branch records)";
    record = "record branches (perf record -b), or by single steps for longer or on more hosts; ";
  } else if (verdict == BoltEvidence::kLowQuality) {
    record =
        "record branches (perf record -b, or pgo record \xFF{engine} step), or PC samples for "
        "longer or on more hosts; ";
  }
  record += "\xFF{allow-inferred} optimizes anyway";
  if (verdict == BoltEvidence::kProfiledBuild)
    return {ErrorKind::kUnsupported,
            found + report + ", and it was built with a compile profile: " +
                std::string(kProfiledBuildMeasurement),
            record};
  return {ErrorKind::kUnsupported,
          found + ", and their quality is " + std::string(quality_name(profile.quality)) + report +
              ", not good: BOLT may well make the program slower with them",
          record};
}

// The steps from the input to a checked candidate beside the output. What each step finds out goes
// into `result`, also when a later one fails.
class Optimization {
 public:
  Optimization(const OptimizeRequest& request, const LinkedBinary& input, std::ostream& log,
               OptimizeResult& result)
      : request_(request), input_(input), limits_{request.timeout, &log}, result_(result) {}

  // `termination` is deferred from when there is something to remove.
  Result<AtomicFile> run(const PostlinkProfileFiles& files,
                         std::optional<DeferredTermination>& termination) {
    PGO_CHECK(check_fitness(input_.image, request_.extra_options));
    PGO_TRY(stale_, find_earlier_build(input_.image, request_.stale));
    Result<Perf2bolt> perf2bolt = find_perf2bolt({request_.perf2bolt, "", request_.timeout});
    PGO_TRY(LlvmBolt tool, find_tool(perf2bolt));
    PGO_TRY(ProfileText profile, read_profile(files, perf2bolt, tool));
    termination.emplace();
    PGO_TRY(BoltedBinary bolted, run_tool(tool, profile.contents));
    PGO_CHECK(check_no_errors(result_.log));
    // Of an earlier build the profile is, where that was named.
    const BuildIdentity identity =
        stale_.empty() && result_.profile ? result_.profile->identity : BuildIdentity::kAssumed;
    Result<CheckOutcome> fit =
        check_profile_fit(result_.log, request_.input, identity, result_.diagnostics);
    // One of this very build does not fit for another reason.
    result_.is_stale =
        !fit && identity != BuildIdentity::kProven && is_of_changed_code(result_.log);
    if (!fit) return std::move(fit).failure();
    result_.checks.push_back(*fit);
    return check(bolted.file.bytes(), profile.digest);
  }

 private:
  Result<LlvmBolt> find_tool(const Result<Perf2bolt>& perf2bolt) {
    PGO_TRY(LlvmBolt tool, find_llvm_bolt({request_.llvm_bolt, perf2bolt ? perf2bolt->program : "",
                                           "", request_.timeout}));
    result_.program = tool.program;
    result_.version = tool.version;
    for (const std::string& option : request_.extra_options)
      if (!tool.supported.has(bolt_option_name(option)))
        return fail(ErrorKind::kUsage,
                    tool.program + " (LLVM " + tool.version + ") has no option " + option);
    return tool;
  }

  Result<ProfileText> read_profile(const PostlinkProfileFiles& files,
                                   const Result<Perf2bolt>& perf2bolt, const LlvmBolt& tool) {
    ProfileText text;
    PGO_TRY(
        PostlinkProfile made,
        make_postlink_profile(files, {stale_.empty() ? request_.input : stale_, request_.recorded,
                                      perf2bolt, request_.read, limits_, request_.progress}));
    PostlinkProfile& profile = result_.profile.emplace(std::move(made));
    PGO_CHECK(check_evidence(profile));
    text.contents = std::exchange(profile.contents, {});
    text.digest = profile_digest(as_bytes(text.contents));
    if (stale_.empty()) return text;
    // Only YAML has the hashes by which blocks of one build are found in another.
    PGO_TRY(BoltYaml yaml, make_bolt_yaml(tool, {stale_, text.contents, {}, limits_}));
    PGO_CHECK(
        check_is_of(yaml.log, stale_,
                    "\xFF{stale} must name the build that was recorded, as it was before BOLT"));
    if (files.kind != PostlinkProfileKind::kYaml) text.contents = std::move(yaml.contents);
    return text;
  }

  Result<void> check_evidence(const PostlinkProfile& profile) {
    const BoltEvidence verdict =
        judge_for_bolt(profile.evidence, profile.quality, find_compile_profile_use(input_.image));
    if (request_.inferred == InferredCounts::kAny) return ok();
    if (profile.evidence == Evidence::kUnknown) warn_of_unknown_evidence(profile);
    if (verdict == BoltEvidence::kUsable) return ok();
    result_.refused_counts = true;
    return fail(refuse_counts(profile, verdict));
  }

  // Only a report of a conversion says what an fdata was made from.
  void warn_of_unknown_evidence(const PostlinkProfile& profile) {
    const std::string& path = request_.profiles.front();
    const std::string remedy =
        profile.kind == PostlinkProfileKind::kFdata
            ? "; keep the report of its conversion beside it, as " + path + ".json"
            : "";
    result_.diagnostics.warn("unknown-evidence",
                             path + ": it is unknown whether its counts were recorded or inferred" +
                                 remedy + "; \xFF{allow-inferred} accepts either");
  }

  Result<BoltedBinary> run_tool(const LlvmBolt& tool, const std::string& profile) {
    BoltArguments arguments =
        choose_bolt_options(tool.supported,
                            {.address_translation = request_.table == TranslationTable::kWrite,
                             .debug_sections = has_debug_info(input_.image),
                             .stale = !stale_.empty(),
                             .small_code = code_size(input_.image) < kHugePage},
                            request_.extra_options);
    result_.options = std::move(arguments.options);
    result_.missing_options = std::move(arguments.missing);
    PGO_TRY(BoltedBinary bolted,
            run_llvm_bolt(tool, {request_.input, profile, result_.options, limits_}));
    result_.log = std::move(bolted.log);
    result_.diagnostics.add(std::exchange(result_.log.warnings, {}));
    return bolted;
  }

  // Everything that is known of `bytes` must hold before they are a candidate; the system's loader
  // and the user's command then look at the file.
  Result<AtomicFile> check(Bytes bytes, const std::string& digest) {
    Result<ElfImage> image = ElfImage::parse(bytes, "the result");
    if (!image) return fail(ErrorKind::kMismatch, image.error().message, image.error().advice);
    PGO_TRY(CheckOutcome elf, check_same_program(input_.image, *image));
    result_.checks.push_back(elf);
    std::string contents(as_text(bytes));
    fill_bolt_digest(*image, digest, contents);
    write_layout_id(*image, contents);
    PGO_TRY(AtomicFile file, AtomicFile::write_program(request_.output, contents, input_.status));
    PGO_TRY(ElfImage candidate, ElfImage::open(file.temporary()));
    PGO_TRY(CheckOutcome loader, check_loads(input_.image, candidate, request_.timeout));
    result_.checks.push_back(loader);
    if (request_.check.empty()) return file;
    PGO_TRY(CheckOutcome command, check_runs(request_.check, file.temporary(), request_.timeout));
    result_.checks.push_back(command);
    return file;
  }

  const OptimizeRequest& request_;
  const LinkedBinary& input_;
  const ToolLimits limits_;
  OptimizeResult& result_;
  std::string stale_;  // the build that the profile is of; empty: the input
};

Result<void> deliver(AtomicFile& file, Diagnostics& diagnostics) {
  PGO_CHECK(file.commit());
  if (!file.warning().empty()) diagnostics.warn("output-owner", file.warning());
  return ok();
}

bool keeps_input(const OptimizeResult& result, const OptimizeRequest& request) {
  const OnFailure on_failure =
      result.refused_counts ? request.on_refused_counts : request.on_failure;
  return on_failure == OnFailure::kKeep || (on_failure == OnFailure::kKeepStale && result.is_stale);
}

// The input goes out as it is.
Result<Delivered> deliver_input(const LinkedBinary& input, const OptimizeRequest& request,
                                Diagnostics& diagnostics) {
  if (is_same_file(request.output, request.input)) return Delivered::kInput;
  DeferredTermination termination;
  PGO_TRY(AtomicFile file,
          AtomicFile::write_program(request.output, as_text(input.image.bytes()), input.status));
  PGO_CHECK(deliver(file, diagnostics));
  return Delivered::kInput;
}

}  // namespace

Result<OptimizeResult> optimize(const OptimizeRequest& request) {
  // What is wrong with the request is an error at once, before anything is written.
  PGO_TRY(LinkedBinary input, open_input(request.input));
  PGO_TRY(std::vector<InputFile> inputs, find_input_files(request.profiles));
  PGO_CHECK(check_request(request, inputs));
  PGO_TRY(PostlinkProfileFiles files, find_postlink_profile(std::move(inputs)));

  OptimizeResult result;
  result.input = request.input;
  result.output = request.output;
  result.on_failure = request.on_failure;
  result.log_file = request.log;
  PGO_TRY(std::ofstream log, start_log(request.log));
  std::optional<DeferredTermination> termination;
  Result<AtomicFile> candidate = Optimization(request, input, log, result).run(files, termination);

  if (candidate) {
    PGO_CHECK(deliver(*candidate, result.diagnostics));
    result.delivered = Delivered::kResult;
    result.replaced_input = is_same_file(request.output, request.input);
  } else {
    // The caller's mistakes and requests to end are no reason to deliver anything.
    bool asked_to_end = termination && termination->any();
    if (asked_to_end || candidate.error().kind == ErrorKind::kUsage)
      return std::move(candidate).failure();
    result.failure = candidate.error();
    Result<Delivered> delivered = keeps_input(result, request)
                                      ? deliver_input(input, request, result.diagnostics)
                                      : Result<Delivered>(Delivered::kNothing);
    if (!delivered)
      return fail(delivered.error().kind,
                  request.input + " is NOT optimized (" + result.failure->message +
                      "), and its copy could not be written: " + delivered.error().message);
    result.delivered = *delivered;
  }
  termination.reset();
  log.close();
  result.log_incomplete = !request.log.empty() && !log;
  return result;
}

}  // namespace pgo
