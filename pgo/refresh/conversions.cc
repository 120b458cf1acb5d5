#include "pgo/refresh/conversions.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/merge/merge.h"
#include "pgo/profile/bolt_evidence.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

bool wants(const ServiceConfig& service, ServiceOutput output) {
  return std::find(service.outputs.begin(), service.outputs.end(), output) != service.outputs.end();
}

// The output for a compiler; nothing when there is none.
std::optional<OutputSpec> compile_output(const ServiceConfig& service) {
  if (wants(service, ServiceOutput::kLlvm)) return {{Format::kLlvm, service.name + ".prof"}};
  if (wants(service, ServiceOutput::kLlvmText))
    return {{Format::kLlvmText, service.name + ".proftext"}};
  if (wants(service, ServiceOutput::kGcc)) return {{Format::kGcc, service.name + ".afdo"}};
  if (wants(service, ServiceOutput::kGcc13)) return {{Format::kGcc13, service.name + ".afdo"}};
  return std::nullopt;
}

BoltProfile profile_of(const BoltChoice& choice) {
  BoltProfile profile;
  profile.library = choice.library;
  profile.build = choice.build_id;
  profile.input = choice.path;
  profile.recorded = choice.build->files.id.hex();
  profile.built_with = choice.built_with;
  profile.own_share = choice.build->share;
  return profile;
}

ConvertRequest conversion_of(const ConversionPlan& plan) {
  ConvertRequest request;
  request.inputs = {plan.bundle};
  request.read.jobs = plan.request->jobs;
  request.perf2bolt = plan.request->perf2bolt;
  request.progress = plan.request->progress;
  return request;
}

// Reports say nothing of this machine and of the time of the run: the next run of the same inputs
// makes the same ones.
void forget_directories(ConvertResult& result) {
  for (OutputFile& output : result.outputs) output.path = fs::path(output.path).filename();
  for (std::shared_ptr<const InputBundle>& bundle : result.bundles) {
    InputBundle shown = *bundle;
    shown.directory = fs::path(shown.directory).filename();
    forget_time_of_run(shown.bundle);
    bundle = std::make_shared<const InputBundle>(std::move(shown));
  }
}

// Writes the outputs, too.
Result<std::shared_ptr<ConvertResult>> run_conversion(const ConversionPlan& plan,
                                                      ConvertRequest request) {
  for (OutputSpec& output : request.outputs) output.path = plan.directory + "/" + output.path;
  PGO_TRY(ConvertResult result, convert(request));
  for (const OutputFile& output : result.outputs)
    PGO_CHECK(write_file_atomically(output.path, output.contents));
  forget_directories(result);
  return std::make_shared<ConvertResult>(std::move(result));
}

// With a build's executable, and llvm-bolt's input where there is one.
ConvertRequest bolt_conversion(const ConversionPlan& plan, const FoundBuild& build) {
  FoundBuilds one;
  one.builds = {build};
  ConvertRequest request = conversion_of(plan);
  request.binaries = one.binaries();
  request.debug.files = one.debug().files;
  return request;
}

// Of the builds that will use the new version. The packages apply its compile profile to the
// programs that have their note.
CompileProfileUse find_use_of_new_builds(const BoltChoice& bolt, const ConvertedFiles& files) {
  const bool is_applied = bolt.has_note && !files.compile_profile.empty();
  return is_applied || !bolt.built_with.empty() ? CompileProfileUse::kUsed
                                                : CompileProfileUse::kUnknown;
}

// Why the profile that was just made for `bolt` is not pinned; empty: it is.
std::string refusal_of(const BoltChoice& bolt, const ConvertResult& made,
                       const ConvertedFiles& files) {
  const auto profile =
      std::find_if(made.outputs.begin(), made.outputs.end(),
                   [](const OutputFile& output) { return output.perf2bolt.has_value(); });
  if (profile == made.outputs.end()) return "";
  const Evidence evidence = made.evidence_of(*profile);
  const BoltEvidence verdict =
      judge_for_bolt(evidence, made.quality_of(*profile), find_use_of_new_builds(bolt, files));
  if (verdict != BoltEvidence::kProfiledBuild) return "";
  return "its counts were inferred from " + std::string(evidence_words(evidence)) + ", and " +
         (bolt.built_with.empty() ? "builds with this version are"
                                  : "the recorded build " + bolt.build_id + " was") +
         " made with a compile profile: " + std::string(kProfiledBuildMeasurement) +
         "; record branches (perf record -b, or pgo record \xFF{engine} step), or write "
         "inferred-bolt-profile = \"push\" into pgo.toml";
}

OutputSpec bolt_output(const ConversionPlan& plan, const std::string& library) {
  return {Format::kFdata, bolt_file_stem(plan.request->service.name, library) + ".fdata"};
}

// All builds; with the BOLT profile of the program, where that is the only build.
Result<void> make_compile_profile(const ConversionPlan& plan, const OutputSpec& output,
                                  const BoltChoice* only, ConvertedFiles& files) {
  files.compile_format = output.format;
  ConvertRequest request = conversion_of(plan);
  request.binaries = plan.builds->binaries();
  request.debug.files = plan.builds->debug().files;
  request.outputs = {output};
  if (is_gcc_profile(output.format)) request.count_by = CountBy::kLine;
  if (only != nullptr) request.outputs.push_back(bolt_output(plan, only->library));
  PGO_TRY(files.compile, run_conversion(plan, std::move(request)));
  files.compile_profile = plan.directory + "/" + output.path;
  return ok();
}

// Without it, the version would not be what the service wants: the program's, unless the program
// does little but call its libraries.
bool is_main_profile(const BoltProfile& profile, const ConvertedFiles& files) {
  return profile.library.empty() &&
         (profile.own_share >= thresholds::kMinBoltShare || files.compile_profile.empty());
}

// A failure of the machine is none of the library.
bool is_of_binary(const Error& error) {
  return error.kind != ErrorKind::kIo && error.kind != ErrorKind::kUsage;
}

// `shared`: the conversion that has made it already; null: none has.
Result<void> make_bolt_profile(const ConversionPlan& plan, const BoltChoice& choice,
                               std::shared_ptr<ConvertResult> shared, ConvertedFiles& files) {
  std::shared_ptr<ConvertResult> made = shared;
  if (!made) {
    ConvertRequest request = bolt_conversion(plan, *choice.build);
    request.outputs = {bolt_output(plan, choice.library)};
    Result<std::shared_ptr<ConvertResult>> result = run_conversion(plan, std::move(request));
    if (!result && !choice.library.empty() && is_of_binary(result.error())) {
      MissingBoltProfile& missing = files.missing_bolt.emplace_back();
      missing.library = choice.library;
      missing.reason = result.error().message;
      return ok();
    }
    PGO_TRY(made, std::move(result));
  }
  if (plan.request->service.inferred_bolt == InferredBoltPolicy::kOmit)
    if (std::string reason = refusal_of(choice, *made, files); !reason.empty()) {
      if (shared)
        std::erase_if(shared->outputs,
                      [](const OutputFile& output) { return output.perf2bolt.has_value(); });
      MissingBoltProfile& missing = files.missing_bolt.emplace_back();
      missing.library = choice.library;
      missing.reason = std::move(reason);
      missing.is_inferred = true;
      missing.conversion = std::move(made);
      return ok();
    }
  BoltProfile& profile = files.bolt.emplace_back(profile_of(choice));
  profile.path = plan.directory + "/" + bolt_output(plan, choice.library).path;
  profile.conversion = std::move(made);
  return ok();
}

// The only output would be missing.
Result<void> check_program(const std::vector<MissingBoltProfile>& missing) {
  for (const MissingBoltProfile& one : missing)
    if (one.library.empty())
      return fail(ErrorKind::kMismatch, "there is no BOLT profile, the only output: " + one.reason);
  return ok();
}

Result<void> make_go_profile(const ConversionPlan& plan, ConvertedFiles& files) {
  MergeRequest request;
  request.inputs = {plan.bundle};
  request.outputs = {{Format::kGo, plan.directory + "/default.pgo"}};
  request.jobs = plan.request->jobs;
  request.progress = plan.request->progress;
  PGO_TRY(const MergeResult merged, merge(request));
  files.go_profile = merged.outputs[0].path;
  return write_file_atomically(files.go_profile, merged.outputs[0].contents);
}

std::set<std::string> counted_hosts(const FetchResult& fetched, const FoundBuilds& builds) {
  std::set<std::string> programs, hosts;
  for (const FoundBuild& build : builds.builds)
    if (build.is_program) programs.insert(build.files.id.hex());
  for (const FetchedProfile& profile : fetched.profiles) {
    const std::vector<InspectedBuild>& recorded = profile.inspected.builds;
    const std::string host = host_label_of(profile.labels);
    if (!host.empty() &&
        std::any_of(recorded.begin(), recorded.end(),
                    [&](const InspectedBuild& build) { return programs.contains(build.id); }))
      hosts.insert(host);
  }
  return hosts;
}

// Of a BOLT profile with a conversion of its own. That of the compile profile has made a source
// profile of each build, and so it knows more of their quality.
BoltFigures bolt_figures(const ConvertedFiles& files, const BoltProfile& profile) {
  BoltFigures figures;
  figures.library = profile.library;
  figures.samples = profile.conversion->profile.samples.used;
  figures.evidence = profile.conversion->evidence;
  figures.quality = profile.conversion->quality;
  figures.halves = profile.conversion->split_half_overlap;
  if (!files.compile) return figures;
  for (const ConvertedBinary& binary : files.compile->binaries) {
    if (binary.build_id.hex() != profile.recorded) continue;
    figures.quality = binary.quality;
    if (binary.density > 0 && !files.compile->inference) figures.density = binary.density;
    figures.halves = binary.split_half_overlap;
  }
  return figures;
}

// The conversion whose counts a version is judged by; null: those of Go.
const ConvertResult* judged_conversion(const ConvertedFiles& files) {
  if (files.compile) return files.compile.get();
  if (const BoltProfile* program = find_bolt_profile(files.bolt)) return program->conversion.get();
  if (!files.go_profile.empty()) return nullptr;
  for (const MissingBoltProfile& missing : files.missing_bolt)
    if (missing.library.empty()) return missing.conversion.get();
  return nullptr;
}

}  // namespace

std::vector<const ConvertResult*> ConvertedFiles::conversions() const {
  std::vector<const ConvertResult*> all;
  auto add = [&](const std::shared_ptr<ConvertResult>& one) {
    if (one && std::find(all.begin(), all.end(), one.get()) == all.end()) all.push_back(one.get());
  };
  add(compile);
  for (const BoltProfile& profile : bolt) add(profile.conversion);
  for (const MissingBoltProfile& missing : missing_bolt) add(missing.conversion);
  return all;
}

Result<ConvertedFiles> convert_files(const ConversionPlan& plan) {
  const ServiceConfig& service = plan.request->service;
  ConvertedFiles files;
  BoltSelection bolt;
  if (wants(service, ServiceOutput::kBolt)) {
    PGO_TRY(bolt, choose_bolt_builds(*plan.builds, plan.pinned, files.diagnostics));
    files.missing_bolt = std::move(bolt.missing);
    if (service.outputs.size() == 1) PGO_CHECK(check_program(files.missing_bolt));
  }
  const bool is_one_build = plan.builds->builds.size() == 1;
  if (const std::optional<OutputSpec> compile = compile_output(service)) {
    const bool is_for_both = is_one_build && !bolt.chosen.empty();
    PGO_CHECK(make_compile_profile(plan, *compile, is_for_both ? &bolt.chosen[0] : nullptr, files));
  }
  for (const BoltChoice& choice : bolt.chosen)
    PGO_CHECK(make_bolt_profile(plan, choice, is_one_build ? files.compile : nullptr, files));
  if (wants(service, ServiceOutput::kGo)) PGO_CHECK(make_go_profile(plan, files));
  return files;
}

void forget_time_of_run(Bundle& bundle) {
  bundle.query.erase("from");
  bundle.query.erase("to");
}

GateFigures figures_of(const FetchResult& fetched, const FoundBuilds& builds,
                       const ConvertedFiles& files) {
  GateFigures figures;
  figures.are_hosts_known = !fetched.hosts.empty();
  const ConvertResult* const judged = judged_conversion(files);
  if (judged == nullptr) {  // Go's alone: counts are those of the profiles
    figures.hosts = fetched.hosts.size();
    figures.quality = fetched.quality;
    figures.samples = fetched.samples;
    if (fetched.evidence.size() == 1) figures.evidence = fetched.evidence.begin()->first;
    if (fetched.halves) figures.halves = fetched.halves->overlap;
    return figures;
  }
  figures.hosts = counted_hosts(fetched, builds).size();
  figures.missing_builds = builds.missing_share();
  figures.quality = judged->quality;
  figures.evidence = judged->evidence;
  if (!files.compile_profile.empty() && !judged->inference) figures.density = judged->density;
  figures.halves = judged->split_half_overlap;
  figures.samples = judged->profile.samples.used;
  for (const BoltProfile& profile : files.bolt)
    if (profile.conversion.get() != judged) figures.bolt.push_back(bolt_figures(files, profile));
  return figures;
}

void leave_out_thin_bolt_profiles(const ServiceGates& gates, ConvertedFiles& files,
                                  GateFigures& figures) {
  std::vector<BoltFigures> kept;
  for (const BoltFigures& one : figures.bolt) {
    const BoltProfile* profile = find_bolt_profile(files.bolt, one.library);
    const bool is_needed = profile == nullptr || is_main_profile(*profile, files);
    const std::string reason = is_needed ? "" : describe_failed_gate(check_bolt_gates(gates, one));
    if (reason.empty()) {
      kept.push_back(one);
      continue;
    }
    MissingBoltProfile& missing = files.missing_bolt.emplace_back();
    missing.library = one.library;
    missing.reason = reason;
    std::erase_if(files.bolt,
                  [&](const BoltProfile& other) { return other.library == one.library; });
  }
  figures.bolt = std::move(kept);
}

}  // namespace pgo
