#include "pgo/symbolize/probe_profile.h"

#include <llvm/MC/MCPseudoProbe.h>

#include <algorithm>
#include <unordered_map>

#include "pgo/symbolize/unit_profile.h"

namespace pgo {

using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;
using llvm::sampleprof::SampleContext;
using llvm::sampleprof::SampleProfileMap;

namespace {

void remove_ambiguous(FunctionSamples& function) {
  for (const auto& [location, callees] : function.getCallsiteSamples()) {
    llvm::sampleprof::FunctionSamplesMap& inlined = function.functionSamplesAt(location);
    for (auto callee = inlined.begin(); callee != inlined.end();) {
      if (UnitProfile::is_ambiguous(callee->first.stringRef())) {
        callee = inlined.erase(callee);
      } else {
        remove_ambiguous(callee->second);
        ++callee;
      }
    }
  }
}

}  // namespace

ProbeProfile::ProbeProfile(const ProbeFunctions& functions, const ProbeTable& table,
                           const CodeMap& code)
    : functions_(functions),
      table_(table),
      code_(code),
      samples_(table.records.size()),
      totals_(table.records.size()) {}

void ProbeProfile::add_segment(const Segment& segment) {
  if (segment.last < segment.first) return;
  for (const Probe& probe : table_.probes_between(segment.first, segment.last))
    if (code_.is_code(probe.addr)) counts_.push_back({&probe, segment.count});
}

// The extensible binary form lists checksums in the order of the hash map that LLVM keeps functions
// in, which follows the order in which they came; and to llvm-profgen they come in the order of a
// hash map by the addresses of its probes, which stand one behind the other. The same map of the
// same distances gives the same order, wherever it lies.
std::vector<ProbeProfile::ProbeCount> ProbeProfile::in_order_of_llvm() const {
  std::unordered_map<uint64_t, const ProbeCount*> by_place;
  for (const ProbeCount& count : counts_)
    by_place.emplace(count.probe->number * sizeof(llvm::MCDecodedPseudoProbe), &count);
  std::vector<ProbeCount> ordered;
  ordered.reserve(counts_.size());
  for (const auto& [place, count] : by_place) ordered.push_back(*count);
  return ordered;
}

void ProbeProfile::count_bodies() {
  bodies_are_counted_ = true;
  for (const auto& [probe, count] : in_order_of_llvm()) {
    FunctionSamples* samples = samples_of(probe->record);
    if (samples == nullptr) continue;
    totals_[probe->record] = saturating_add(totals_[probe->record], count);
    samples->addBodySamples(probe->id, probe->discriminator, count);
    if (probe->is_entry()) samples->addHeadSamples(count);
  }
}

// Is it part of the record around it? Where the call's probe is not known, LLVM starts afresh.
bool ProbeProfile::is_nested(const ProbeRecord& record) const {
  return record.around != ProbeRecord::kOutermost && record.call_site != 0;
}

// Null where the binary does not name the function, or one that it was inlined into.
FunctionSamples* ProbeProfile::samples_of(uint32_t number) {
  if (samples_[number] != nullptr) return samples_[number];
  const ProbeRecord& record = table_.records[number];
  const ProbeFunction* function = functions_.find(record.guid);
  if (function == nullptr) {
    diagnostics_.warn("unnamed-probes", "the pseudo probes of the function with the number " +
                                            std::to_string(record.guid) +
                                            " are left out: .pseudo_probe_desc does not name it");
    return nullptr;
  }
  llvm::StringRef name(function->name.data(), function->name.size());
  FunctionSamples* samples = nullptr;
  if (is_nested(record)) {
    FunctionSamples* caller = samples_of(record.around);
    if (caller == nullptr) return nullptr;
    samples = &caller->functionSamplesAt(
        LineLocation(record.call_site, 0))[llvm::sampleprof::FunctionId(name)];
    samples->setContext(SampleContext(name));
  } else {
    samples = &profile_.create(SampleContext(name));
  }
  samples->setFunctionHash(function->checksum);
  samples_[number] = samples;
  return samples;
}

void ProbeProfile::add_call(ElfAddr from, llvm::StringRef callee, uint64_t count) {
  if (!bodies_are_counted_) count_bodies();
  std::span<const Probe> probes = table_.probes_at(from);
  auto call = std::find_if(probes.begin(), probes.end(),
                           [](const Probe& probe) { return probe.is_call(); });
  if (call == probes.end()) {
    calls_without_probe_ = saturating_add(calls_without_probe_, count);
    return;
  }
  if (FunctionSamples* samples = samples_of(call->record))
    samples->addCalledTargetSamples(call->id, 0, llvm::sampleprof::FunctionId(callee), count);
}

SampleProfileMap ProbeProfile::take_functions() {
  if (!bodies_are_counted_) count_bodies();
  // A total includes what was inlined; inner records stand behind outer ones.
  for (size_t i = table_.records.size(); i-- > 0;) {
    if (samples_[i] == nullptr) continue;
    samples_[i]->addTotalSamples(totals_[i]);
    const ProbeRecord& record = table_.records[i];
    if (is_nested(record))
      totals_[record.around] = saturating_add(totals_[record.around], totals_[i]);
  }
  for (auto& [key, function] : profile_) function.updateCallsiteSamples();
  for (auto function = profile_.begin(); function != profile_.end();) {
    if (UnitProfile::is_ambiguous(function->second.getFunction().stringRef())) {
      function = profile_.erase(function);
    } else {
      remove_ambiguous(function->second);
      ++function;
    }
  }
  return std::move(profile_);
}

}  // namespace pgo
