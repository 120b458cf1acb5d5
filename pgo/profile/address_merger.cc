#include "pgo/profile/address_merger.h"

#include <algorithm>

namespace pgo {

void AddressMerger::AccountingSums::add(const Accounting& accounting, MergeFactor factor) {
  used = add_up(used, scaled(accounting.used, factor));
  pending = add_up(pending, scaled(accounting.pending, factor));
  for (size_t i = 0; i < kDroppedCount; i++)
    dropped[i] = add_up(dropped[i], scaled(accounting.dropped[i], factor));
}

void AddressMerger::AccountingSums::add(const AccountingSums& other) {
  used = add_up(used, other.used);
  pending = add_up(pending, other.pending);
  for (size_t i = 0; i < kDroppedCount; i++) dropped[i] = add_up(dropped[i], other.dropped[i]);
}

Accounting AddressMerger::AccountingSums::rounded() const {
  Accounting accounting;
  accounting.used = pgo::rounded(used);
  accounting.pending = pgo::rounded(pending);
  accounting.seen = saturating_add(accounting.used, accounting.pending);
  for (size_t i = 0; i < kDroppedCount; i++) {
    accounting.dropped[i] = pgo::rounded(dropped[i]);
    accounting.seen = saturating_add(accounting.seen, accounting.dropped[i]);
  }
  return accounting;
}

void AddressMerger::EventSums::add(const EventSums& other) {
  samples = add_up(samples, other.samples);
  branch_records = std::max(branch_records, other.branch_records);
}

AddressMerger::BinarySums& AddressMerger::binary(const BuildId& id, const std::string& path_hint) {
  BinarySums& sums = binaries_[{id, id.empty() ? path_hint : std::string()}];
  bool better = !path_hint.empty() && path_hint < sums.path_hint;
  if (sums.path_hint.empty() || better) sums.path_hint = path_hint;
  return sums;
}

void AddressMerger::add(AddressProfile profile, MergeFactor factor) {
  for (const BinaryCounts& counts : profile.binaries) {
    BinarySums& sums = binary(counts.id, counts.path_hint);
    sums.traces.add(counts.traces, factor);
    sums.mispredicts.add(counts.mispredicts, factor);
    sums.pc_samples.add(counts.pc_samples, factor);
    sums.calls.add(counts.calls, factor);
  }
  for (const EventInfo& event : profile.events) {
    events_[{event.name, {event.is_frequency, event.period}}].add(
        {scaled(event.samples, factor), event.branch_records});
  }
  samples_.add(profile.samples, factor);
  branches_.add(profile.branches, factor);
  lost_ = add_up(lost_, scaled(profile.lost, factor));
  origins_.add(profile.origins);
  diagnostics_.add(profile.diagnostics);
}

void AddressMerger::add(AddressMerger&& other) {
  for (auto& [binary_key, from] : other.binaries_) {
    BinarySums& sums = binary(binary_key.first, from.path_hint);
    sums.traces.add(std::move(from.traces));
    sums.mispredicts.add(std::move(from.mispredicts));
    sums.pc_samples.add(std::move(from.pc_samples));
    sums.calls.add(std::move(from.calls));
  }
  for (const auto& [event, from] : other.events_) events_[event].add(from);
  samples_.add(other.samples_);
  branches_.add(other.branches_);
  lost_ = add_up(lost_, other.lost_);
  origins_.add(other.origins_);
  diagnostics_.add(other.diagnostics_);
}

AddressProfile AddressMerger::finish() && {
  AddressProfile profile;
  for (auto& [binary_key, sums] : binaries_) {
    BinaryCounts counts;
    counts.id = binary_key.first;
    counts.path_hint = sums.path_hint;
    counts.traces = std::move(sums.traces).finish();
    counts.mispredicts = std::move(sums.mispredicts).finish();
    counts.pc_samples = std::move(sums.pc_samples).finish();
    counts.calls = std::move(sums.calls).finish();
    profile.binaries.push_back(std::move(counts));
  }
  for (const auto& [event, sums] : events_)
    profile.events.push_back({event.first, rounded(sums.samples), event.second.second,
                              event.second.first, sums.branch_records});
  profile.samples = samples_.rounded();
  profile.branches = branches_.rounded();
  profile.lost = rounded(lost_);
  profile.origins = std::move(origins_);
  profile.diagnostics = diagnostics_;
  return profile;
}

}  // namespace pgo
