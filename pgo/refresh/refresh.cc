#include "pgo/refresh/refresh.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/number_text.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/refresh/blend.h"
#include "pgo/refresh/conversions.h"
#include "pgo/refresh/current_build.h"
#include "pgo/refresh/go_build.h"
#include "pgo/refresh/input_digest.h"
#include "pgo/refresh/pinned_comparison.h"
#include "pgo/refresh/pinned_version.h"
#include "pgo/refresh/run_workspace.h"
#include "pgo/refresh/service_check.h"
#include "pgo/refresh/version_files.h"
#include "pgo/versions/described_files.h"
#include "pgo/versions/pin.h"
#include "pgo/versions/push.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// One run, step by step.
class Refreshing {
 public:
  explicit Refreshing(const RefreshRequest& request)
      : request_(request), service_(request.service) {}

  Result<RefreshResult> run();

 private:
  Result<void> fetch_profiles();
  void refuse_by_fetch_limits();
  Result<void> find_binaries();
  Result<void> restore_pinned();
  bool is_done_before();
  Result<void> convert_profiles();
  void report_missing_bolt_profiles();
  Result<void> keep_recorded_builds();
  Result<void> compare_with_pinned();
  Result<void> choose_compile_profile();
  Result<void> blend_compile_profile();
  Result<void> check();
  bool is_unchanged();
  void warn_of_other_profiles();
  Result<void> write_files();
  Result<void> push_and_pin();

  Result<std::optional<CurrentBuildMatch>> match_current_build(const std::string& profile);

  const RefreshRequest& request_;
  const ServiceConfig& service_;
  std::unique_ptr<RunWorkspace> workspace_;
  PinnedVersion pinned_;
  // Parts of the pinned version are lost for good, so that a new one is needed; or were pushed
  // again.
  bool is_pinned_lost_ = false, is_pushed_again_ = false;
  ConvertedFiles made_;
  // The pinned profile for the compiler of the output's kind, in the cache; empty: there is none.
  std::optional<PulledFile> pinned_profile_;
  // What the version will have, by paths.
  std::string compile_profile_;
  std::vector<std::string> files_;
  RefreshResult result_;
};

Result<void> Refreshing::fetch_profiles() {
  FetchRequest request;
  request.sources = request_.sources;
  request.query.labels = service_.labels;
  request.query.sample_type = service_.sample_type;
  request.query.window = request_.window;
  if (service_.max_profiles) request.selection.max_profiles = *service_.max_profiles;
  request.limits = request_.limits;
  request.output = workspace_->file("bundle");
  request.cache = request_.cache;
  request.tool_version = request_.tool_version;
  request.path_template = service_.path_template.text;
  request.jobs = request_.jobs;
  request.progress = request_.progress;
  PGO_TRY(result_.fetched, fetch(request));
  result_.diagnostics.add(result_.fetched.diagnostics);
  return ok();
}

// [fetch] of pgo.toml: no bundle was written.
void Refreshing::refuse_by_fetch_limits() {
  result_.outcome = RefreshOutcome::kRefused;
  for (const std::string& limit : result_.fetched.failed_limits)
    result_.gates.push_back({"fetch", "-", "as [fetch] says", GateVerdict::kFailed, limit});
}

Result<void> Refreshing::find_binaries() {
  const bool is_for_go_only =
      std::all_of(service_.outputs.begin(), service_.outputs.end(),
                  [](ServiceOutput output) { return output == ServiceOutput::kGo; });
  if (is_for_go_only) return ok();
  PGO_TRY(result_.builds, find_builds(result_.fetched, request_.archives));
  for (const MissingBuild& build : result_.builds.missing)
    if (build.is_shown() && !build.is_of_system)
      result_.diagnostics.warn("missing-build", describe_missing_build(build, request_.archives));
  return ok();
}

// Builds need the pinned version, whatever comes out of this run.
Result<void> Refreshing::restore_pinned() {
  if (!result_.before) return ok();
  PGO_CHECK(pinned_.look_for_lost_parts());
  const LockEntry& before = *result_.before;
  const LostParts& lost = pinned_.lost();
  if (!lost.is_any()) return ok();
  std::string text =
      lost.repository + ": does not have " + lost.first + " any more, so builds cannot pull it; ";
  PGO_TRY(const bool is_here, pinned_.is_in(request_.registry));
  PGO_TRY(const bool is_cached, pinned_.can_push_again());
  is_pinned_lost_ = !is_here || !is_cached;
  if (!is_pinned_lost_ && request_.mode == RefreshMode::kDryRun) {
    text += "without \xFF{dry-run}, pgo restores it from its cache";
  } else if (!is_pinned_lost_) {
    PGO_CHECK(pinned_.push_again());
    is_pushed_again_ = true;
    text += "pgo has restored it from its cache";
  } else if (before.inputs == result_.inputs) {
    text += "pgo makes it again";
  } else if (before.previous_inputs == result_.inputs) {
    text +=
        "these recordings are those of a version that was taken back, so pgo makes no new one: "
        "push its files again, or pin another version with 'pgo pin'";
  } else {
    text += "pgo makes a new version, which is pinned if it passes the gates";
  }
  result_.diagnostics.warn("lost-version", text);
  return ok();
}

bool Refreshing::is_done_before() {
  if (!result_.before) return false;
  if (result_.before->inputs == result_.inputs) {
    if (is_pinned_lost_) return false;
    result_.outcome = is_pushed_again_ ? RefreshOutcome::kPushedAgain : RefreshOutcome::kNothingNew;
    result_.digest = result_.before->manifest;
    return true;
  }
  if (result_.before->previous_inputs != result_.inputs) return false;
  result_.outcome = RefreshOutcome::kTakenBack;
  result_.digest = result_.before->previous;
  return true;
}

Result<void> Refreshing::convert_profiles() {
  ConversionPlan plan;
  plan.request = &request_;
  plan.fetched = &result_.fetched;
  plan.builds = &result_.builds;
  plan.bundle = workspace_->file("bundle");
  plan.directory = workspace_->file("files");
  if (const ProfileFile* pinned = pinned_.find(FileKind::kLlvm))
    plan.pinned.compile_profile = pinned->digest;
  plan.pinned.libraries = pinned_.libraries(FileKind::kBolt);
  std::error_code error;
  fs::create_directories(plan.directory, error);
  if (error) return fail(ErrorKind::kIo, plan.directory + ": cannot make the directory");
  PGO_TRY(made_, convert_files(plan));
  result_.diagnostics.add(made_.diagnostics);
  for (const ConvertResult* one : made_.conversions()) {
    // find_binaries() has warned of the files that no archive has.
    const bool is_known = one->low_yield && one->low_yield->lacks_binaries;
    for (const auto& [kind, entry] : one->profile.diagnostics.entries())
      if (kind != kLittleUsed || !is_known) result_.diagnostics.add(kind, entry);
  }
  result_.figures = figures_of(result_.fetched, result_.builds, made_);
  leave_out_thin_bolt_profiles(service_.gates, made_, result_.figures);
  report_missing_bolt_profiles();
  compile_profile_ = made_.compile_profile;
  return ok();
}

void Refreshing::report_missing_bolt_profiles() {
  for (MissingBoltProfile& missing : made_.missing_bolt) {
    missing.was_pinned = pinned_.find(FileKind::kBolt, missing.library) != nullptr;
    result_.missing_bolt.push_back(missing);
    result_.missing_bolt.back().conversion.reset();
    if (missing.library.empty() && !made_.has_profiles()) continue;  // a gate says so
    result_.diagnostics.warn(missing.is_inferred ? "inferred-bolt-profile" : "no-bolt-profile",
                             describe_missing_bolt_profile(missing));
  }
}

Result<void> Refreshing::keep_recorded_builds() {
  if (service_.recorded_build != RecordedBuildPolicy::kOmit)
    PGO_CHECK(write_recorded_builds(workspace_->file("files"), service_.name,
                                    !made_.compile_profile.empty(), made_.bolt,
                                    result_.diagnostics));
  result_.bolt = made_.bolt;
  for (BoltProfile& profile : result_.bolt) profile.conversion.reset();
  return ok();
}

// The overlap of the profile of these recordings with the one that builds use now.
Result<void> Refreshing::compare_with_pinned() {
  if (compile_profile_.empty() || !pinned_.entry()) return ok();
  const FileKind kind = made_.compile_kind();
  if (pinned_.find(kind) == nullptr) {
    result_.figures.not_overlapped = "the pinned version has no profile for this compiler";
    return ok();
  }
  PGO_TRY(std::vector<PulledFile> files, pinned_.files({kind}));
  if (files.empty()) {
    result_.figures.not_overlapped = "the pinned profile cannot be read any more";
    return ok();
  }
  pinned_profile_ = std::move(files[0]);
  return compare_compile_profiles(pinned_profile_->path, compile_profile_, kind, result_.figures,
                                  result_.diagnostics);
}

Result<std::optional<CurrentBuildMatch>> Refreshing::match_current_build(
    const std::string& profile) {
  const std::optional<CurrentBuildMatch> none;
  const std::vector<std::string> builds = service_.current_build_paths();
  if (builds.empty()) {
    result_.figures.not_matched =
        "there is no current build to compare with; current-build names one";
    return none;
  }
  if (profile.empty() || is_gcc_profile(made_.compile_format)) {
    result_.figures.not_matched = "only LLVM profiles can be compared with a build";
    return none;
  }
  if (std::string absent = describe_absent_build(builds); !absent.empty()) {
    result_.figures.not_matched = std::move(absent);
    result_.figures.lacks_build = true;
    return none;
  }
  CurrentBuildRequest request;
  request.builds = builds;
  request.profile = profile;
  request.shown_as = service_.name + "/" + fs::path(profile).filename().string();
  // Several releases of one program are not several binaries.
  const bool is_pinned = pinned_profile_ && profile == pinned_profile_->path;
  request.has_libraries = !(is_pinned ? pinned_profile_->file.of_libraries.empty()
                                      : result_.builds.libraries().empty());
  request.min_match = service_.gates.match;
  request.jobs = request_.jobs;
  PGO_TRY(CurrentBuildMatch matched, match_current_builds(request));
  return std::optional(std::move(matched));
}

// With a BOLT profile of the program, the pinned compile profile stays while builds that it makes
// can use the new BOLT profile, and while it fits the code.
Result<void> Refreshing::choose_compile_profile() {
  const BoltProfile* const program = find_bolt_profile(made_.bolt);
  if (program == nullptr || !pinned_profile_) return ok();
  const PulledFile& pinned = *pinned_profile_;
  const std::string& built_with = program->built_with;
  if (service_.compile_profile == CompileProfilePolicy::kRenew) return ok();
  if (!result_.figures.overlap || pinned.file.name != fs::path(made_.compile_profile).filename()) {
    result_.choice_reason = "the pinned one has another form";
    return ok();
  }
  if (!built_with.empty() && built_with != pinned.file.digest) {
    result_.choice_reason =
        "the recorded build was made with another compile profile than the pinned one";
    return ok();
  }
  PGO_TRY(const std::optional<CurrentBuildMatch> matched, match_current_build(pinned.path));
  if (matched && !matched->is_enough()) {
    result_.choice_reason = matched->describe("the pinned compile profile");
    return ok();
  }
  result_.compile_profile = CompileProfileChoice::kKept;
  result_.choice_reason =
      (built_with.empty() ? "" : "the recorded build was made with it, and ") +
      (matched ? "it still fits"
               : "it is not known whether it still fits: " + result_.figures.not_matched);
  compile_profile_ = pinned.path;
  return ok();
}

Result<void> Refreshing::blend_compile_profile() {
  if (service_.blend_previous == 0 || compile_profile_.empty()) return ok();
  BlendRequest request;
  request.profile = compile_profile_;
  request.format = made_.compile_format;
  request.directory = workspace_->file("files");
  request.name = service_.name;
  request.generations = service_.blend_previous;
  request.jobs = request_.jobs;
  PGO_TRY(request.earlier, pinned_.files({FileKind::kGeneration}));
  PGO_TRY(BlendResult blended, blend(request));
  result_.diagnostics.add(blended.diagnostics);
  result_.blended = blended.blended;
  files_.insert(files_.end(), blended.generations.begin(), blended.generations.end());
  if (blended.blended == 0) return ok();
  // The report names the profile by its digest.
  for (OutputFile& output : made_.compile->outputs)
    if (output.path == fs::path(compile_profile_).filename()) output.contents = blended.contents;
  return write_file_atomically(compile_profile_, blended.contents);
}

Result<void> Refreshing::check() {
  PGO_TRY(const std::optional<CurrentBuildMatch> matched, match_current_build(compile_profile_));
  if (matched) {
    result_.figures.match_rate = matched->match_rate;
    result_.figures.usual_match = matched->min_match;
    result_.figures.matched = matched->describe("it");
    for (const auto& [kind, entry] : matched->diagnostics.entries())
      result_.diagnostics.add(kind, entry);
  }
  result_.gates = check_gates(service_.gates, result_.figures);
  if (!made_.go_profile.empty() && !service_.current_builds.empty())
    insert_gate(check_go_version(service_.current_builds[0].text), result_.gates);
  for (const MissingBoltProfile& missing : made_.missing_bolt)
    if (missing.library.empty() && !made_.has_profiles())
      insert_gate(refuse_bolt_evidence(result_.figures.evidence, missing.reason), result_.gates);
  return ok();
}

// Would a pin change nothing but noise?
bool Refreshing::is_unchanged() {
  if (!result_.before || is_pinned_lost_ || !pinned_profile_ || !result_.figures.overlap ||
      !has_same_files(*result_.before, made_, service_.configuration))
    return false;
  std::optional<double> limit;
  if (service_.gates.max_overlap) {
    limit = *service_.gates.max_overlap / 100;
  } else {
    // As much as two halves of either have in common.
    for (const std::optional<double>& halves :
         {result_.figures.halves, pinned_profile_->file.split_half_overlap})
      if (halves && (!limit || *halves < *limit)) limit = halves;
  }
  if (!limit || *result_.figures.overlap < *limit) return false;
  result_.unchanged_above = *limit;
  return true;
}

// Builds with the compile profile of the version hardly use a BOLT profile of code that was built
// with another one.
void Refreshing::warn_of_other_profiles() {
  if (compile_profile_.empty() || made_.bolt.empty()) return;
  if (result_.compile_profile == CompileProfileChoice::kNew) {
    result_.diagnostics.warn(
        "bolt-of-other-profile",
        "the compile profile is new, and the BOLT profile is of a build that was made without "
        "it: BOLT will give little until a build with it has been recorded; until then, builds may "
        "warn that the BOLT profile is of another build");
    return;
  }
  if (!pinned_profile_) return;
  for (const BoltProfile& profile : made_.bolt)
    if (!profile.built_with.empty() && profile.built_with != pinned_profile_->file.digest)
      result_.diagnostics.warn(
          "bolt-of-other-profile",
          "the recorded build " + profile.build + " of " + profile.library +
              " was made with another compile profile than the one that stays pinned: BOLT will "
              "give little for it until a build with that one has been recorded");
}

Result<void> Refreshing::write_files() {
  VersionParts parts;
  parts.service = service_.name;
  parts.directory = workspace_->file("files");
  parts.made = &made_;
  parts.bundle = &result_.fetched.bundle;
  parts.conversion_report = request_.conversion_report;
  parts.generations = std::move(files_);
  if (result_.compile_profile == CompileProfileChoice::kNew) {
    parts.compile_profile = compile_profile_;
  } else {
    PGO_TRY(parts.kept, pinned_.files({FileKind::kLlvm, FileKind::kGcc, FileKind::kReport}));
    std::erase_if(parts.kept,
                  [](const PulledFile& file) { return !is_compile_report(file.file.name); });
  }
  PGO_TRY(files_, write_version_files(parts));
  return ok();
}

Result<void> Refreshing::push_and_pin() {
  PushRequest pushing;
  pushing.files.files = files_;
  pushing.files.service = service_.name;
  pushing.files.inputs = result_.inputs;
  pushing.files.libraries = result_.builds.libraries();
  if (result_.compile_profile == CompileProfileChoice::kKept && pinned_profile_)
    pushing.files.libraries.insert(pinned_profile_->file.of_libraries.begin(),
                                   pinned_profile_->file.of_libraries.end());
  pushing.files.jobs = request_.jobs;
  if (!service_.configuration.empty() && !made_.bolt.empty())
    pushing.files.configurations = {service_.configuration};
  for (const BoltProfile& profile : made_.bolt) {
    pushing.files.library_files.push_back(profile.path + "=" + profile.library);
    if (profile.prebolt)
      pushing.files.library_files.push_back(profile.prebolt->path + "=" + profile.library);
  }
  pushing.to = request_.registry;
  pushing.to.tag = version_tag(result_.fetched.window, result_.inputs);
  pushing.open = request_.open;
  pushing.signer = request_.signer;
  PGO_TRY(const PushResult pushed, push(pushing));
  result_.diagnostics.add(pushed.diagnostics);
  result_.digest = pushed.digest;
  result_.reference = reference_text(pushing.to);
  PGO_TRY(const bool is_here, pinned_.is_in(request_.registry));
  if (result_.before && result_.before->manifest == result_.digest && is_here) {
    result_.outcome = RefreshOutcome::kPushedAgain;
    return ok();
  }
  result_.outcome = RefreshOutcome::kPinned;
  if (request_.before_pin) PGO_CHECK(request_.before_pin(result_));

  PinRequest pinning;
  pinning.name = service_.name;
  pinning.reference = pushing.to;
  pinning.reference->digest = pushed.digest;
  pinning.lock = request_.lock;
  pinning.open = request_.open;
  pinning.expected = result_.before ? result_.before->manifest : "";
  PGO_TRY(PinResult done, pin(pinning));
  result_.diagnostics.add(done.diagnostics);
  result_.after = std::move(done.entry);
  return ok();
}

Result<RefreshResult> Refreshing::run() {
  result_.name = service_.name;
  result_.lock = request_.lock;
  PGO_CHECK(check_service(service_));
  PGO_TRY(workspace_,
          RunWorkspace::take(request_.cache, request_.lock, service_.name, request_.progress));
  PGO_CHECK(fetch_profiles());
  if (!result_.fetched.failed_limits.empty()) {
    refuse_by_fetch_limits();
    return std::move(result_);
  }
  PGO_CHECK(find_binaries());
  PGO_TRY(pinned_, PinnedVersion::read(request_.lock, service_.name, request_.open, request_.cache,
                                       result_.diagnostics));
  result_.before = pinned_.entry();
  result_.inputs =
      digest_of_inputs(service_, result_.fetched, result_.builds, request_.tool_version);
  PGO_CHECK(restore_pinned());
  if (is_done_before()) return std::move(result_);
  if (request_.mode == RefreshMode::kPin && result_.before && !result_.before->signed_by.empty() &&
      request_.signer == nullptr)
    return fail(ErrorKind::kUsage,
                request_.lock + ": requires a signature of " + service_.name +
                    ", and this run has no key to sign with",
                "name it with \xFF{sign}");

  PGO_CHECK(convert_profiles());
  PGO_CHECK(keep_recorded_builds());
  PGO_CHECK(compare_with_pinned());
  PGO_CHECK(choose_compile_profile());
  PGO_CHECK(blend_compile_profile());
  PGO_CHECK(check());
  if (has_failed(result_.gates)) {
    result_.outcome = RefreshOutcome::kRefused;
    return std::move(result_);
  }
  if (is_unchanged()) {
    result_.outcome = RefreshOutcome::kUnchanged;
    return std::move(result_);
  }
  warn_of_other_profiles();
  if (request_.mode == RefreshMode::kDryRun) {
    result_.outcome = RefreshOutcome::kWouldPin;
    return std::move(result_);
  }
  PGO_CHECK(write_files());
  PGO_CHECK(push_and_pin());
  return std::move(result_);
}

}  // namespace

Result<RefreshResult> refresh(const RefreshRequest& request) { return Refreshing(request).run(); }

}  // namespace pgo
