#include "pgo/refresh/refresh.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/number_text.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/lock_diff/counted_profile.h"
#include "pgo/refresh/blend.h"
#include "pgo/refresh/conversions.h"
#include "pgo/refresh/current_build.h"
#include "pgo/refresh/go_build.h"
#include "pgo/refresh/input_digest.h"
#include "pgo/refresh/pinned_version.h"
#include "pgo/refresh/run_workspace.h"
#include "pgo/refresh/service_check.h"
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
  Result<bool> is_done_before();
  Result<void> convert_profiles();
  Result<void> keep_recorded_builds();
  Result<void> compare_with_pinned();
  Result<void> choose_compile_profile();
  Result<void> blend_compile_profile();
  Result<void> check();
  bool has_files_of(const LockEntry& entry) const;
  bool is_unchanged();
  Result<void> write_reports();
  Result<void> push_and_pin();

  Result<std::optional<CurrentBuildMatch>> match_current_build(const std::string& profile);
  FileKind compile_kind() const;

  const RefreshRequest& request_;
  const ServiceConfig& service_;
  std::unique_ptr<RunWorkspace> workspace_;
  PinnedVersion pinned_;
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

// Builds need the pinned version: without it, there is something to do.
Result<bool> Refreshing::is_done_before() {
  result_.inputs =
      digest_of_inputs(service_, result_.fetched, result_.builds, request_.tool_version);
  if (!result_.before) return false;
  if (result_.before->inputs == result_.inputs) {
    PGO_TRY(const std::string lost, pinned_.lost_part());
    if (!lost.empty()) {
      result_.diagnostics.warn("lost-version", reference_text(request_.registry) +
                                                   ": does not have " + lost +
                                                   " any more; pgo makes it again");
      result_.figures.not_overlapped = "the registry has lost the pinned version";
      pinned_ = PinnedVersion();
      return false;
    }
    result_.outcome = RefreshOutcome::kNothingNew;
    result_.digest = result_.before->manifest;
    return true;
  }
  if (result_.before->previous_inputs != result_.inputs) return false;
  result_.outcome = RefreshOutcome::kTakenBack;
  result_.digest = result_.before->previous;
  return true;
}

FileKind Refreshing::compile_kind() const {
  return is_gcc_profile(made_.compile_format) ? FileKind::kGcc : FileKind::kLlvm;
}

Result<void> Refreshing::convert_profiles() {
  ConversionPlan plan;
  plan.request = &request_;
  plan.fetched = &result_.fetched;
  plan.builds = &result_.builds;
  plan.bundle = workspace_->file("bundle");
  plan.directory = workspace_->file("files");
  if (const ProfileFile* pinned = pinned_.find(FileKind::kLlvm))
    plan.pinned_profile = pinned->digest;
  std::error_code error;
  fs::create_directories(plan.directory, error);
  if (error) return fail(ErrorKind::kIo, plan.directory + ": cannot make the directory");
  PGO_TRY(made_, convert_files(plan));
  result_.diagnostics.add(made_.diagnostics);
  for (const ConvertResult& one : made_.results) {
    // find_binaries() has warned of the files that no archive has.
    const bool is_known = one.low_yield && one.low_yield->lacks_binaries;
    for (const auto& [kind, entry] : one.profile.diagnostics.entries())
      if (kind != kLittleUsed || !is_known) result_.diagnostics.add(kind, entry);
  }
  result_.figures = figures_of(result_.fetched, result_.builds, made_);
  result_.bolt = made_.bolt;
  if (made_.has_profiles())
    for (const RefusedBoltProfile& refused : made_.refused_bolt)
      result_.diagnostics.warn("inferred-bolt-profile",
                               "the BOLT profile " +
                                   (refused.library.empty() ? "" : "of " + refused.library + " ") +
                                   "is not pinned: " + refused.reason);
  compile_profile_ = made_.compile_profile;
  return ok();
}

Result<void> Refreshing::keep_recorded_builds() {
  if (service_.recorded_build == RecordedBuildPolicy::kOmit) return ok();
  return write_recorded_builds(workspace_->file("files"), service_.name,
                               !made_.compile_profile.empty(), result_.bolt, result_.diagnostics);
}

// The overlap of the profile of these recordings with the one that builds use now.
Result<void> Refreshing::compare_with_pinned() {
  if (compile_profile_.empty() || !pinned_.entry()) return ok();
  const FileKind kind = compile_kind();
  if (pinned_.find(kind) == nullptr) {
    result_.figures.not_overlapped = "the pinned version has no profile for this compiler";
    return ok();
  }
  PGO_TRY(std::vector<PulledFile> files, pinned_.files({kind}));
  if (files.empty()) return ok();
  pinned_profile_ = std::move(files[0]);
  const std::string &pinned = pinned_profile_->path, &made = compile_profile_;
  GateFigures& figures = result_.figures;
  for (auto [stacks, overlap] : {std::pair(InlineStacks::kCompared, &figures.overlap),
                                 std::pair(InlineStacks::kIgnored, &figures.code_overlap)}) {
    PGO_TRY(const CountedProfile before, read_counted(pinned, kind, pinned, stacks));
    PGO_TRY(const CountedProfile after, read_counted(made, kind, made, stacks));
    if (before.basis != after.basis) {
      figures.not_overlapped =
          "the pinned profile counts by " + std::string(position_basis_words(before.basis)) +
          ", the new one by " + std::string(position_basis_words(after.basis)) +
          ", so they cannot be compared";
      result_.diagnostics.warn("other-positions", figures.not_overlapped);
      return ok();
    }
    *overlap = overlap_of(before, after);
  }
  return ok();
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

// With BOLT, the pinned compile profile stays while builds that it makes can use the new BOLT
// profile, and while it fits the code.
Result<void> Refreshing::choose_compile_profile() {
  if (made_.bolt.empty() || !pinned_profile_) return ok();
  const PulledFile& pinned = *pinned_profile_;
  const std::string& built_with = made_.bolt[0].built_with;  // of the program, if that has one
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
  for (OutputFile& output : made_.results[0].outputs)
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
  if (!made_.refused_bolt.empty() && !made_.has_profiles())
    insert_gate(refuse_bolt_evidence(result_.figures.evidence, made_.refused_bolt[0].reason),
                result_.gates);
  return ok();
}

// Does the pinned version have the profiles that the outputs ask for, in the same forms?
bool Refreshing::has_files_of(const LockEntry& entry) const {
  // With name, configuration and library.
  using Profile = std::tuple<FileKind, std::string, std::string, std::string>;
  std::set<Profile> made, pinned;
  auto add = [&](FileKind kind, const std::string& path) {
    if (!path.empty()) made.insert({kind, fs::path(path).filename(), "", ""});
  };
  add(compile_kind(), made_.compile_profile);
  add(FileKind::kGo, made_.go_profile);
  for (const BoltProfile& profile : made_.bolt)
    made.insert({FileKind::kBolt, fs::path(profile.path).filename(), service_.configuration,
                 profile.library});
  for (const ProfileFile& file : entry.files)
    if (file.kind <= FileKind::kGo)
      pinned.insert({file.kind, file.name, file.configuration, file.library});
  return made == pinned;
}

// Would a pin change nothing but noise?
bool Refreshing::is_unchanged() {
  if (!result_.before || !pinned_profile_ || !result_.figures.overlap ||
      !has_files_of(*result_.before))
    return false;
  for (const BoltProfile& profile : result_.bolt) {
    if (pinned_.find(FileKind::kBolt, profile.library)->bolt_of != profile.build) return false;
    if (profile.prebolt && pinned_.find(FileKind::kPrebolt, profile.library) == nullptr)
      return false;
  }
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

// NAME.json is of the conversion that made the compile profile, NAME.bolt.json of the one that
// made the program's BOLT profile when that is another one, NAME.LIBRARY.bolt.json of a library's.
Result<void> Refreshing::write_reports() {
  const std::string directory = workspace_->file("files") + "/";
  constexpr const char* kOfBolt = ".bolt.json";
  const bool is_kept = result_.compile_profile == CompileProfileChoice::kKept;
  if (is_kept) {
    PGO_TRY(const std::vector<PulledFile> pinned,
            pinned_.files({FileKind::kLlvm, FileKind::kGcc, FileKind::kReport}));
    for (const PulledFile& file : pinned) {
      if (file.file.name.ends_with(kOfBolt)) continue;
      files_.push_back(directory + file.file.name);
      PGO_CHECK(copy_into_workspace(file.path, files_.back()));
    }
  } else if (!compile_profile_.empty()) {
    files_.push_back(compile_profile_);
  }
  std::map<size_t, std::string> stems;  // of reports of BOLT profiles, by conversion
  for (const BoltProfile& profile : result_.bolt) {
    files_.push_back(profile.path);
    if (profile.prebolt) files_.push_back(profile.prebolt->path);
    stems[profile.result] = bolt_file_stem(service_.name, profile.library);
  }
  if (!made_.go_profile.empty()) files_.push_back(made_.go_profile);
  for (size_t i = 0; i < made_.results.size(); i++) {
    const bool is_of_compiler = i == 0 && !made_.compile_profile.empty() && !is_kept;
    if (!is_of_compiler && !stems.contains(i)) continue;  // made nothing that is kept
    const std::string path =
        directory + (is_of_compiler ? service_.name + ".json" : stems[i] + kOfBolt);
    PGO_CHECK(write_file_atomically(path, request_.conversion_report(made_.results[i])));
    files_.push_back(path);
  }
  Bundle bundle = result_.fetched.bundle;
  forget_time_of_run(bundle);
  files_.push_back(directory + kBundleName);
  return write_file_atomically(files_.back(), bundle_text(bundle));
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
  for (const BoltProfile& profile : result_.bolt) {
    if (!service_.configuration.empty()) pushing.files.configurations = {service_.configuration};
    if (profile.library.empty()) continue;
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
  if (result_.before && result_.before->manifest == result_.digest) {
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
  PGO_TRY(const bool is_done, is_done_before());
  if (is_done) return std::move(result_);
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
  if (result_.compile_profile == CompileProfileChoice::kNew && !made_.bolt.empty() &&
      !compile_profile_.empty())
    result_.diagnostics.warn(
        "bolt-of-other-profile",
        "the compile profile is new, and the BOLT profile is of a build that was made without "
        "it: BOLT will give little until a build with it has been recorded; until then, builds may "
        "warn that the BOLT profile is of another build");
  if (request_.mode == RefreshMode::kDryRun) {
    result_.outcome = RefreshOutcome::kWouldPin;
    return std::move(result_);
  }
  PGO_CHECK(write_reports());
  PGO_CHECK(push_and_pin());
  return std::move(result_);
}

}  // namespace

Result<RefreshResult> refresh(const RefreshRequest& request) { return Refreshing(request).run(); }

}  // namespace pgo
