#include "pgo/symbolize/source_profile_builder.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <mutex>

#include "pgo/base/parallel.h"
#include "pgo/binary/debug_file.h"
#include "pgo/dwarf/function_table.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/dwarf/unit_map.h"
#include "pgo/profile/code_counts.h"
#include "pgo/symbolize/probe_profile.h"
#include "pgo/symbolize/probed_functions.h"
#include "pgo/symbolize/unit_profile.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;

struct Call {
  ElfAddr from;
  llvm::StringRef callee;
  uint64_t count = 0;
};

// What is counted in one compile unit.
struct UnitWork {
  uint32_t unit = 0;
  std::vector<Segment> segments;
  std::vector<Call> calls;
};

// Deals segments and calls out to the units that describe them, cutting segments between units.
// Segments are sorted. What no unit describes is counted in `coverage`.
std::vector<UnitWork> partition_by_unit(const std::vector<Segment>& segments,
                                        const std::vector<Call>& calls, const UnitMap& units,
                                        size_t unit_count, LineCoverage& coverage) {
  std::vector<UnitWork> by_unit(unit_count);
  const auto& intervals = units.intervals();
  auto interval_at = [&](uint64_t addr) {
    return std::upper_bound(intervals.begin(), intervals.end(), addr,
                            [](uint64_t a, const auto& i) { return a < i.end.value; });
  };
  auto unattributed = [&](const Segment& segment, uint64_t bytes) {
    uint64_t weight = saturating_multiply(segment.count, bytes);
    coverage.all = saturating_add(coverage.all, weight);
    coverage.no_function = saturating_add(coverage.no_function, weight);
  };
  for (const Segment& segment : segments) {
    uint64_t at = segment.first.value, end = segment.last.value + 1;
    for (auto interval = interval_at(at); at < end; ++interval) {
      if (interval == intervals.end() || interval->begin.value >= end) {
        unattributed(segment, end - at);
        break;
      }
      if (at < interval->begin.value) unattributed(segment, interval->begin.value - at);
      at = std::max(at, interval->begin.value);
      uint64_t stop = std::min(end, interval->end.value);
      by_unit[interval->unit].segments.push_back({ElfAddr{at}, ElfAddr{stop - 1}, segment.count});
      at = stop;
    }
  }
  for (const Call& call : calls) {
    auto interval = interval_at(call.from.value);
    if (interval != intervals.end() && interval->begin <= call.from)
      by_unit[interval->unit].calls.push_back(call);
  }
  std::vector<UnitWork> work;
  for (uint32_t i = 0; i < unit_count; i++) {
    if (by_unit[i].segments.empty() && by_unit[i].calls.empty()) continue;
    by_unit[i].unit = i;
    work.push_back(std::move(by_unit[i]));
  }
  return work;
}

// A function that several units define: of a line's counts the largest holds, as within a unit.
void merge_same_binary(FunctionSamples& into, const FunctionSamples& from) {
  into.addTotalSamples(from.getTotalSamples());
  into.addHeadSamples(from.getHeadSamples());
  for (const auto& [location, record] : from.getBodySamples()) {
    auto counted = into.findSamplesAt(location.LineOffset, location.Discriminator);
    uint64_t before = counted ? *counted : 0;
    into.addBodySamples(location.LineOffset, location.Discriminator,
                        record.getSamples() - std::min(record.getSamples(), before));
    for (const auto& [callee, count] : record.getCallTargets())
      into.addCalledTargetSamples(location.LineOffset, location.Discriminator, callee, count);
  }
  for (const auto& [location, callees] : from.getCallsiteSamples())
    for (const auto& [name, callee] : callees) {
      auto [found, is_new] = into.functionSamplesAt(location).try_emplace(name);
      if (is_new) found->second.setContext(callee.getContext());
      merge_same_binary(found->second, callee);
    }
}

// The calls in `branches`, and how often each function was called.
struct Calls {
  std::vector<Call> calls;
  std::vector<uint64_t> heads;  // by function
};

Calls find_calls(const std::vector<BranchCount>& branches, const FunctionTable& functions,
                 OutsideCallers outside_callers) {
  Calls found;
  found.heads.resize(functions.functions().size());
  for (const BranchCount& branch : branches) {
    std::optional<uint32_t> callee = functions.find_entry(branch.to);
    if (!callee) continue;
    found.heads[*callee] = saturating_add(found.heads[*callee], branch.count);
    llvm::StringRef name = functions.functions()[*callee].canonical_name();
    if (branch.from)
      found.calls.push_back({*branch.from, name, branch.count});
    else if (outside_callers == OutsideCallers::kAtAddressOne)
      found.calls.push_back({ElfAddr{1}, name, branch.count});
  }
  return found;
}

struct UnitResult {
  UnitProfile::Functions functions;
  LineCoverage coverage;
};

// Counts each unit by source position, on as many threads as there are contexts. Uses up `work`.
std::vector<UnitResult> count_units(std::vector<UnitWork>& work, DebugInfo& debug_info,
                                    const CodeMap& code, Discriminators discriminators,
                                    const SymbolNames& symbol_names, const BuildOptions& options) {
  std::vector<UnitResult> results(work.size());
  std::mutex progress_mutex;
  size_t done = 0;
  FrameBudget budget(debug_info);
  parallel_for_by_thread(work.size(), debug_info.context_count(), [&](size_t thread, size_t i) {
    UnitWork mine = std::move(work[i]);
    FrameTable frames(debug_info, thread, mine.unit, options.quirks.line_zero, symbol_names,
                      budget);
    bool whole = discriminators == Discriminators::kWhole ||
                 (options.quirks.gcc_code == GccCode::kUnderstood &&
                  is_compiled_by_gcc(*debug_info.units(thread)[mine.unit]));
    UnitProfile unit(frames, code, whole ? Discriminators::kWhole : Discriminators::kEncoded,
                     options.quirks.line_zero);
    for (const Segment& segment : mine.segments) unit.add_segment(segment);
    for (const Call& call : mine.calls) unit.add_call(call.from, call.callee, call.count);
    results[i] = {unit.take_functions(), unit.coverage()};
    if (!options.progress) return;
    std::lock_guard lock(progress_mutex);
    options.progress(++done, work.size());
  });
  if (budget.is_used_up()) results.clear();
  return results;
}

// Puts the units together in file order. Uses up `results`.
void merge_units(std::vector<UnitResult>& results, SourceProfile& profile) {
  size_t function_count = 0;
  for (const UnitResult& result : results) function_count += result.functions.size();
  profile.functions().reserve(function_count);
  for (UnitResult& result : results) {
    profile.coverage.add(result.coverage);
    for (auto& [name, samples] : result.functions) {
      auto [found, is_new] =
          profile.functions().try_emplace(llvm::sampleprof::SampleContext(name), FunctionSamples());
      if (is_new) {
        found->second = std::move(samples);
      } else {
        merge_same_binary(found->second, samples);
        found->second.updateCallsiteSamples();
      }
    }
    result = {};
  }
}

void warn_of_missing_split_files(const FunctionTable& functions, const std::string& path,
                                 SourceProfile& profile) {
  for (const std::string& file : functions.missing_split_files())
    profile.diagnostics.warn(kMissingSplitFile,
                             path + ": " + file +
                                 ", which has a part of its debug information (-gsplit-dwarf), was "
                                 "not found; the code it describes is missing from the profile");
}

// Executed bytes, and those of them in functions without probes. Segments are cut where functions
// that ran start and end.
LineCoverage cover_by_probes(const std::vector<Segment>& segments, const FunctionTable& functions,
                             const ProbeTable& probes) {
  std::vector<bool> has_probes(functions.functions().size());
  for (const Probe& probe : probes.probes)
    if (std::optional<uint32_t> function = functions.find(probe.addr)) has_probes[*function] = true;
  LineCoverage coverage;
  for (const Segment& segment : segments) {
    if (segment.last < segment.first) continue;
    uint64_t weight =
        saturating_multiply(segment.count, segment.last.value - segment.first.value + 1);
    coverage.all = saturating_add(coverage.all, weight);
    std::optional<uint32_t> function = functions.find(segment.first);
    if (!function || !has_probes[*function])
      coverage.no_function = saturating_add(coverage.no_function, weight);
  }
  return coverage;
}

Result<SourceProfile> build_by_probe(const Binary& binary, const CodeCounts& counts,
                                     const BuildOptions& options) {
  // All functions of the binary; debug information may be missing.
  SourceProfile profile;
  profile.is_probe_based = true;
  profile.is_flow_sensitive = has_flow_sensitive_discriminators(binary.symbol_image());
  std::optional<FunctionTable> functions;
  std::shared_ptr<DebugInfo> debug_info;
  if (has_debug_info(binary.debug_image())) {
    PGO_TRY(debug_info, DebugInfo::open(binary.debug_image(), resolve_jobs(options.jobs)));
    functions.emplace(*debug_info, *binary.image, binary.symbol_image(),
                      FunctionTable::Sources::kDebugInfoAndSymbols);
    profile.names.push_back(debug_info);
    warn_of_missing_split_files(*functions, binary.debug_image().path(), profile);
  } else {
    functions.emplace(binary.symbol_image());
  }

  // The probes of those that ran.
  std::vector<bool> ran = find_functions_that_ran(counts, *functions);
  PGO_TRY(ProbeFunctions probe_functions, ProbeFunctions::read(*binary.probes));
  PGO_TRY(ProbeTable probes,
          read_probes(*binary.probes, select_probes(ran, *functions, binary.symbol_image())));

  // Segments of code count for their probes, zeros included, calls for the probe of the call.
  std::vector<Segment> segments = find_segments(
      counts.ranges, functions->executed_ranges(counts.ranges, *binary.code), options.jobs);
  ProbeProfile by_probe(probe_functions, probes, *binary.code);
  for (const Segment& segment : segments) by_probe.add_segment(segment);
  std::vector<llvm::StringRef> names = name_callees(ran, *functions, probe_functions, probes);
  profile.coverage = cover_by_probes(segments, *functions, probes);
  profile.coverage.broken_ranges = counts.broken_ranges;
  for (const BranchCount& branch : counts.branches) {
    std::optional<uint32_t> callee = functions->find_entry(branch.to);
    if (!callee || !branch.from) continue;
    profile.coverage.calls = saturating_add(profile.coverage.calls, branch.count);
    by_probe.add_call(*branch.from, names[*callee], branch.count);
  }
  profile.functions() = by_probe.take_functions();
  profile.coverage.calls_no_line = by_probe.calls_without_probe();
  profile.diagnostics.add(by_probe.diagnostics());
  if (debug_info) profile.diagnostics.add(debug_info->damage().diagnostics(debug_info->path()));
  return profile;
}

}  // namespace

Result<SourceProfile> build_source_profile(const Binary& binary, BinaryCounts counts,
                                           const BuildOptions& options) {
  // Traces become ranges of code and taken branches.
  CodeCounts code_counts = count_code(counts, *binary.code, options.jobs);
  counts = {};
  if (binary.probes != nullptr) return build_by_probe(binary, code_counts, options);

  // All functions of the binary, by address.
  PGO_TRY(std::shared_ptr<DebugInfo> debug_info,
          DebugInfo::open(binary.debug_image(), resolve_jobs(options.jobs)));
  SymbolNames symbol_names;
  if (options.quirks.gcc_code == GccCode::kUnderstood)
    symbol_names = SymbolNames(binary.symbol_image());
  FunctionTable functions(*debug_info, *binary.image, binary.symbol_image(),
                          FunctionTable::Sources::kDebugInfo, symbol_names);

  // Ranges become disjoint segments, zeros included; branches to where functions start, calls.
  std::vector<Segment> segments =
      find_segments(code_counts.ranges, functions.executed_ranges(code_counts.ranges, *binary.code),
                    options.jobs);
  Calls calls = find_calls(code_counts.branches, functions, options.quirks.outside_callers);
  SourceProfile profile;
  profile.is_flow_sensitive = has_flow_sensitive_discriminators(binary.symbol_image());
  profile.names = {debug_info};
  profile.coverage.broken_ranges = code_counts.broken_ranges;
  warn_of_missing_split_files(functions, binary.debug_image().path(), profile);
  code_counts = {};

  // Both are dealt out to the compile units that describe them, counted there, put together again.
  std::vector<UnitWork> work = partition_by_unit(segments, calls.calls, UnitMap(*debug_info),
                                                 debug_info->units(0).size(), profile.coverage);
  segments = {};
  calls.calls = {};
  std::vector<UnitResult> results =
      count_units(work, *debug_info, *binary.code,
                  profile.is_flow_sensitive ? Discriminators::kWhole : Discriminators::kEncoded,
                  symbol_names, options);
  merge_units(results, profile);
  for (size_t i = 0; i < calls.heads.size(); i++) {
    llvm::StringRef name = functions.functions()[i].canonical_name();
    if (calls.heads[i] != 0 && !UnitProfile::is_ambiguous(name))
      profile.functions()
          .create(llvm::sampleprof::SampleContext(name))
          .addHeadSamples(calls.heads[i]);
  }
  profile.diagnostics.add(debug_info->damage().diagnostics(debug_info->path()));
  return profile;
}

}  // namespace pgo
