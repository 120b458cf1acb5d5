#include "pgo/symbolize/source_profile_builder.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "pgo/base/parallel.h"
#include "pgo/profile/code_counts.h"
#include "pgo/symbolize/function_table.h"
#include "pgo/symbolize/unit_map.h"
#include "pgo/symbolize/unit_profile.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;

// What is counted in one compile unit.
struct UnitWork {
  uint32_t unit = 0;
  std::vector<Segment> segments;
  std::vector<BranchCount> calls;
};

// All code of the functions that any range starts in: what of it did not run gets a zero.
std::vector<RangeCount> functions_that_ran(const std::vector<RangeCount>& ranges,
                                           const FunctionTable& functions) {
  std::set<const FunctionTable::Function*> ran;
  for (const RangeCount& range : ranges)
    if (const auto* function = functions.find(range.first)) ran.insert(function);
  std::vector<RangeCount> code;
  for (const FunctionTable::Function* function : ran)
    for (const FunctionTable::Range& range : function->ranges)
      code.push_back({range.begin, ElfAddr{range.end.value - 1}, 0});
  return code;
}

// Deals segments and calls out to the units that describe them, cutting segments between units.
// Segments are sorted; calls too, by where they come from. What no unit describes is returned as a
// count of bytes that ran.
std::vector<UnitWork> deal_out(const std::vector<Segment>& segments,
                               const std::vector<BranchCount>& calls, const UnitMap& units,
                               size_t unit_count, LineCoverage& coverage) {
  std::vector<UnitWork> by_unit(unit_count);
  const auto& intervals = units.intervals();
  auto interval_at = [&](uint64_t addr) {
    return std::upper_bound(intervals.begin(), intervals.end(), addr,
                            [](uint64_t a, const auto& i) { return a < i.end.value; });
  };
  auto nowhere = [&](const Segment& segment, uint64_t bytes) {
    uint64_t weight = saturating_multiply(segment.count, bytes);
    coverage.all = saturating_add(coverage.all, weight);
    coverage.no_function = saturating_add(coverage.no_function, weight);
  };
  for (const Segment& segment : segments) {
    uint64_t at = segment.first.value, end = segment.last.value + 1;
    for (auto interval = interval_at(at); at < end; ++interval) {
      if (interval == intervals.end() || interval->begin.value >= end) {
        nowhere(segment, end - at);
        break;
      }
      if (at < interval->begin.value) nowhere(segment, interval->begin.value - at);
      at = std::max(at, interval->begin.value);
      uint64_t stop = std::min(end, interval->end.value);
      by_unit[interval->unit].segments.push_back({ElfAddr{at}, ElfAddr{stop - 1}, segment.count});
      at = stop;
    }
  }
  for (const BranchCount& call : calls) {
    auto interval = interval_at((*call.from).value);
    if (interval != intervals.end() && interval->begin <= *call.from)
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

llvm::StringRef callee_name(const FunctionTable& functions, ElfAddr to) {
  const FunctionTable::Function* function = functions.find_entry(to);
  if (function == nullptr) return {};
  return FunctionSamples::getCanonicalFnName(function->name);
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

// Initialisers of globals have the same name in every unit, so their counts belong to none.
bool is_ambiguous(llvm::StringRef name) {
  return name.starts_with("__cxx_global_var_init") || name.starts_with("__tls_init");
}

void remove_ambiguous(FunctionSamples& function) {
  for (auto& [location, callees] :
       const_cast<llvm::sampleprof::CallsiteSampleMap&>(function.getCallsiteSamples())) {
    for (auto callee = callees.begin(); callee != callees.end();)
      callee = is_ambiguous(callee->first.stringRef()) ? callees.erase(callee) : std::next(callee);
    for (auto& [name, callee] : callees) remove_ambiguous(callee);
  }
}

bool has_flow_sensitive_discriminators(const ElfImage& symbols) {
  return std::any_of(symbols.symbols().begin(), symbols.symbols().end(),
                     [](const auto& symbol) { return symbol.name == "__llvm_fs_discriminator__"; });
}

}  // namespace

Result<SourceProfile> build_source_profile(const SymbolizedBinary& binary,
                                           const BinaryCounts& counts,
                                           const BuildOptions& options) {
  // Traces become ranges of code and taken branches.
  CodeCounts code_counts = count_code(counts, *binary.code);

  // All functions of the binary, by address.
  size_t jobs = resolve_jobs(options.jobs);
  PGO_TRY(std::shared_ptr<DebugInfo> debug_info, DebugInfo::open(*binary.debug, jobs));
  FunctionTable functions(*debug_info, *binary.image, *binary.symbols);

  // Ranges become disjoint segments, zeros included, and branches become calls.
  std::vector<Segment> segments =
      find_segments(code_counts.ranges, functions_that_ran(code_counts.ranges, functions));
  SourceProfile profile;
  profile.is_flow_sensitive = has_flow_sensitive_discriminators(*binary.symbols);
  profile.names = {debug_info};
  profile.coverage.broken_ranges = code_counts.broken_ranges;
  std::vector<BranchCount> calls;
  std::vector<std::pair<llvm::StringRef, uint64_t>> heads;
  for (const BranchCount& branch : code_counts.branches) {
    llvm::StringRef callee = callee_name(functions, branch.to);
    if (callee.empty()) continue;
    heads.emplace_back(callee, branch.count);
    if (branch.from)
      calls.push_back(branch);
    else if (options.outside_callers == OutsideCallers::kAtAddressOne)
      calls.push_back({ElfAddr{1}, branch.to, branch.count});
  }

  // Each unit's counts by source position, on all cores.
  UnitMap units(*debug_info);
  std::vector<UnitWork> work =
      deal_out(segments, calls, units, debug_info->units(0).size(), profile.coverage);
  std::vector<UnitProfile::Functions> results(work.size());
  std::vector<LineCoverage> coverages(work.size());
  Discriminators discriminators =
      profile.is_flow_sensitive ? Discriminators::kFlowSensitive : Discriminators::kEncoded;
  std::atomic<size_t> next{0};
  parallel_for(jobs, static_cast<unsigned>(jobs), [&](size_t thread) {
    for (size_t i = next++; i < work.size(); i = next++) {
      FrameTable frames(*debug_info, thread, work[i].unit, options.line_zero);
      UnitProfile unit(frames, *binary.code, discriminators, options.line_zero);
      for (const Segment& segment : work[i].segments) unit.add_segment(segment);
      for (const BranchCount& call : work[i].calls)
        unit.add_call((*call.from).value, callee_name(functions, call.to), call.count);
      results[i] = unit.take_functions();
      coverages[i] = unit.coverage();
    }
  });

  // Together again, in file order.
  for (size_t i = 0; i < results.size(); i++) {
    profile.coverage.add(coverages[i]);
    for (auto& [name, samples] : results[i]) {
      auto [found, is_new] =
          profile.functions.try_emplace(llvm::sampleprof::SampleContext(name), FunctionSamples());
      if (is_new)
        found->second = std::move(samples);
      else
        merge_same_binary(found->second, samples);
    }
  }
  for (const auto& [callee, count] : heads)
    profile.functions.create(llvm::sampleprof::SampleContext(callee)).addHeadSamples(count);

  // A call site ran at least as often as it called.
  for (auto function = profile.functions.begin(); function != profile.functions.end();) {
    function->second.updateCallsiteSamples();
    remove_ambiguous(function->second);
    function = is_ambiguous(function->second.getFunction().stringRef())
                   ? profile.functions.erase(function)
                   : std::next(function);
  }
  return profile;
}

}  // namespace pgo
