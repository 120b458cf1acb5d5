#include "pgo/convert/source_outputs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "converters/gcc_auto/gcc_source_profile.h"
#include "converters/llvm_sample/llvm_sample_writer.h"
#include "pgo/base/number_text.h"
#include "pgo/convert/bolt_pair.h"
#include "pgo/convert/moved_counts.h"
#include "pgo/convert/shared_names.h"
#include "pgo/dwarf/debug_damage.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/symbolize/source_profile_builder.h"

namespace pgo {
namespace {

// Two kinds of profiles that cannot be one; `path` is of the binary that differs from the first.
Result<void> check_same_kind(const SourceProfile& all, const SourceProfile& one,
                             const std::string& path) {
  if (all.is_empty()) return ok();
  if (all.is_probe_based != one.is_probe_based)
    return fail(ErrorKind::kMismatch,
                path +
                    ": only some of the binaries have pseudo probes, and a profile is either by "
                    "probe or by line",
                "convert them one by one, or all with \xFF{by-line}");
  if (all.is_flow_sensitive != one.is_flow_sensitive)
    return fail(ErrorKind::kMismatch,
                path +
                    ": only some of the binaries were built with flow-sensitive discriminators "
                    "(-enable-fs-discriminator); their profiles cannot be combined");
  return ok();
}

// `missing`: "no code that ran has a line". Damage explains it, if there is any.
Failure missing_in_debug_info(const SourceProfile& profile, const std::string& missing) {
  std::string text = missing + " in the debug information";
  const auto& warnings = profile.diagnostics.entries();
  auto damage = warnings.find(DebugDamage::kKind);
  if (damage != warnings.end())
    return fail(ErrorKind::kEmpty, text + ": " + damage->second.messages[0]);
  return fail(ErrorKind::kEmpty, text,
              std::string("was the binary built with ") + kDebugOptions + "?");
}

// Names of functions without counts of lines would call everything cold.
Result<void> check_has_lines(const SourceProfile& profile) {
  const LineCoverage& coverage = profile.coverage;
  if (profile.is_probe_based || coverage.all == 0) return ok();
  if (saturating_add(coverage.no_function, coverage.no_line) < coverage.all) return ok();
  return missing_in_debug_info(profile, "no code that ran has a line");
}

Result<void> check_has_functions(const SourceProfile& profile) {
  if (!profile.is_empty()) return ok();
  if (profile.is_probe_based)
    return fail(ErrorKind::kEmpty, "no code that ran has pseudo probes",
                "is all of it in libraries that were built without -fpseudo-probe-for-profiling? "
                "\xFF{by-line} counts by line");
  return missing_in_debug_info(profile, "no code that ran has a function");
}

// If no branch record is at an instruction, the debug information is not the cause. (BOLT's outputs
// are made before, and may have counts: perf2bolt takes such records.)
Result<void> explain_by_yield(Result<void> checked, const ConvertResult& result) {
  const AddressProfile& profile = result.profile;
  const bool has_records = profile.branches.seen != 0 && !result.inference;
  if (checked || !result.low_yield || !has_records || profile.branches.used != 0) return checked;
  return fail(checked.error().kind, result.low_yield->text);
}

BuildOptions build_options(const ConvertRequest& request) {
  BuildOptions build;
  build.jobs = request.read.jobs;
  if (request.as_llvm_profgen()) build.quirks = LlvmProfgenQuirks::all();
  return build;
}

Result<void> warn_of_idle_binaries(const ConvertResult& result, SourceProfile& source) {
  for (const BinaryCounts& counts : result.profile.binaries) {
    PGO_TRY(const Binary* binary, result.opened.find(counts));
    // Of llvm-bolt's input and output, one runs.
    const bool has_relative = std::any_of(
        result.profile.binaries.begin(), result.profile.binaries.end(),
        [&](const BinaryCounts& one) { return !one.empty() && one.id.matches_bolted(counts.id); });
    if (counts.empty() && !has_relative && !has_bolted(*binary->image, result.opened))
      source.diagnostics.warn(
          "idle-binary",
          counts.path_hint +
              ": has no samples in these recordings; the profile has no counts for it");
  }
  return ok();
}

// Of the binary whose counts became those of `path`: itself, or what llvm-bolt made of it, where
// counts were moved from that. Where those of several were merged, that of each alone is unknown.
void set_density(const std::string& path, double density, ConvertResult& result) {
  auto is_moved_here = [&](const ConvertedBinary& binary) {
    return std::any_of(result.moved.begin(), result.moved.end(), [&](const MovedBinary& moved) {
      return moved.from == binary.path && moved.to == path;
    });
  };
  std::vector<ConvertedBinary*> counted;
  for (ConvertedBinary& binary : result.binaries)
    if (binary.traces != 0 && (binary.path == path || is_moved_here(binary)))
      counted.push_back(&binary);
  if (counted.size() == 1) counted[0]->density = density;
}

}  // namespace

Result<SourceProfile> symbolize_counts(const ConvertRequest& request, ConvertResult& result) {
  BuildOptions build = build_options(request);
  SourceProfile all;
  PGO_CHECK(warn_of_idle_binaries(result, all));
  // Debug information describes what BOLT was given.
  PGO_TRY(MovedCounts moved,
          move_counts_to_bolt_inputs(std::move(result.profile.binaries), result.opened));
  result.profile.binaries.clear();
  result.moved = std::move(moved.moved);
  all.coverage.broken_ranges = moved.broken_ranges;
  const auto counted =
      std::count_if(moved.counts.begin(), moved.counts.end(),
                    [](const BinaryCounts& counts) { return !counts.traces.empty(); });
  std::string path;
  for (BinaryCounts& counts : moved.counts) {
    if (counts.traces.empty()) continue;
    PGO_TRY(const Binary* binary, result.opened.find(counts));
    path = counts.path_hint;
    build.progress = [&](uint64_t done, uint64_t total) {
      report_progress(request.progress, {"symbolizing " + path, done, total, "compile units"});
    };
    PGO_TRY(SourceProfile one, build_source_profile(*binary, std::move(counts), build));
    if (size_t shared = count_shared_names(one, *binary))
      one.diagnostics.warn(
          "shared-names",
          path + ": " +
              format_count(shared, "name in the profile belongs", "names in the profile belong") +
              " to several functions, which share their counts; " + kMakeNamesUnique);
    PGO_CHECK(check_same_kind(all, one, path));
    // Of several binaries one may have no lines, unless they were lost.
    if (one.diagnostics.entries().contains(DebugDamage::kKind)) PGO_CHECK(check_has_lines(one));
    if (counted > 1) set_density(path, one.density(request.read.jobs), result);
    all.add(std::move(one));
  }
  PGO_CHECK(explain_by_yield(check_has_functions(all), result));
  PGO_CHECK(explain_by_yield(check_has_lines(all), result));
  result.density = all.density(request.read.jobs);
  if (counted == 1) set_density(path, result.density, result);
  return all;
}

Result<std::string> write_source_profile(const SourceProfile& source, Format format,
                                         unsigned jobs) {
  if (is_llvm_profile(format)) return write_llvm_sample(source, llvm_form(format), jobs);
  PGO_TRY(GccAutoProfile profile,
          make_gcc_auto_profile(
              source, format == Format::kGcc13 ? GccPlaces::kDiscriminators : GccPlaces::kLines));
  return write_gcc_auto_profile(profile);
}

LlvmSampleFormat llvm_form(Format format) {
  if (format == Format::kLlvmText) return LlvmSampleFormat::kText;
  return format == Format::kLlvmBinary ? LlvmSampleFormat::kBinary : LlvmSampleFormat::kExtBinary;
}

}  // namespace pgo
