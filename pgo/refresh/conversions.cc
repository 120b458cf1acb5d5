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

Result<void> run_conversion(const ConversionPlan& plan, ConvertRequest request,
                            ConvertedFiles& files) {
  for (OutputSpec& output : request.outputs) output.path = plan.directory + "/" + output.path;
  PGO_TRY(ConvertResult result, convert(request));
  for (const OutputFile& output : result.outputs) {
    PGO_CHECK(write_file_atomically(output.path, output.contents));
    if (!output.perf2bolt) files.compile_profile = output.path;
  }
  forget_directories(result);
  files.results.push_back(std::move(result));
  return ok();
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
std::string refusal_of(const BoltChoice& bolt, const ConvertedFiles& files) {
  const ConvertResult& made = files.results.back();
  const BoltEvidence verdict =
      judge_for_bolt(made.evidence, made.quality, find_use_of_new_builds(bolt, files));
  if (verdict != BoltEvidence::kProfiledBuild) return "";
  return "its counts were inferred from " + std::string(evidence_words(made.evidence)) + ", and " +
         (bolt.built_with.empty() ? "builds with this version are"
                                  : "the recorded build " + bolt.build_id + " was") +
         " made with a compile profile: " + std::string(kProfiledBuildMeasurement) +
         "; record branches (perf record -b, or pgo record \xFF{engine} step), or write "
         "inferred-bolt-profile = \"push\" into pgo.toml";
}

void drop_bolt_profile(ConvertedFiles& files) {
  if (files.results.size() > 1)
    files.results.pop_back();
  else if (!files.compile_profile.empty())
    std::erase_if(files.results[0].outputs,
                  [](const OutputFile& output) { return output.perf2bolt.has_value(); });
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

// Of a BOLT profile with a conversion of its own. The conversion of all builds has made a source
// profile of each, and so it knows their quality.
BoltFigures bolt_figures(const ConvertedFiles& files, const BoltProfile& profile) {
  BoltFigures figures;
  figures.library = profile.library;
  figures.samples = files.results[profile.result].profile.samples.used;
  for (const ConvertedBinary& binary : files.results[0].binaries) {
    if (binary.build_id.hex() != profile.recorded) continue;
    figures.quality = binary.quality;
    if (binary.density > 0) figures.density = binary.density;
    figures.halves = binary.split_half_overlap;
  }
  return figures;
}

}  // namespace

Result<ConvertedFiles> convert_files(const ConversionPlan& plan) {
  const ServiceConfig& service = plan.request->service;
  ConvertedFiles files;
  const std::optional<OutputSpec> compile = compile_output(service);
  std::vector<BoltChoice> bolt;
  if (wants(service, ServiceOutput::kBolt)) {
    PGO_TRY(bolt, choose_bolt_builds(*plan.builds, plan.pinned_profile, files.diagnostics));
  }
  auto for_bolt = [&](const BoltChoice& choice) {
    return OutputSpec{Format::kFdata, bolt_file_stem(service.name, choice.library) + ".fdata"};
  };
  const bool is_one_build = plan.builds->builds.size() == 1;
  if (compile) {
    files.compile_format = compile->format;
    ConvertRequest request = conversion_of(plan);
    request.binaries = plan.builds->binaries();
    request.debug.files = plan.builds->debug().files;
    request.outputs = {*compile};
    if (is_gcc_profile(compile->format)) request.count_by = CountBy::kLine;
    if (!bolt.empty() && is_one_build) request.outputs.push_back(for_bolt(bolt[0]));
    PGO_CHECK(run_conversion(plan, std::move(request), files));
  }
  for (const BoltChoice& choice : bolt) {
    if (!compile || !is_one_build) {
      ConvertRequest request = bolt_conversion(plan, *choice.build);
      request.outputs = {for_bolt(choice)};
      PGO_CHECK(run_conversion(plan, std::move(request), files));
    }
    if (service.inferred_bolt == InferredBoltPolicy::kOmit)
      if (std::string reason = refusal_of(choice, files); !reason.empty()) {
        files.refused_bolt.push_back({choice.library, std::move(reason)});
        drop_bolt_profile(files);
        continue;
      }
    BoltProfile& profile = files.bolt.emplace_back(profile_of(choice));
    profile.path = plan.directory + "/" + for_bolt(choice).path;
    profile.result = files.results.size() - 1;
  }
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
  if (files.results.empty()) {  // Go's alone: counts are those of the profiles
    figures.hosts = fetched.hosts.size();
    figures.quality = fetched.quality;
    figures.samples = fetched.samples;
    if (fetched.evidence.size() == 1) figures.evidence = fetched.evidence.begin()->first;
    if (fetched.halves) figures.halves = fetched.halves->overlap;
    return figures;
  }
  figures.hosts = counted_hosts(fetched, builds).size();
  figures.missing_builds = builds.missing_share();
  const ConvertResult& result = files.results[0];
  figures.quality = result.quality;
  figures.evidence = result.evidence;
  if (!files.compile_profile.empty()) figures.density = result.density;
  figures.halves = result.split_half_overlap;
  figures.samples = result.profile.samples.used;
  for (const BoltProfile& profile : files.bolt)
    if (profile.result > 0) figures.bolt.push_back(bolt_figures(files, profile));
  return figures;
}

}  // namespace pgo
