#include "pgo/profile/address_merger.h"

#include <algorithm>
#include <iterator>

#include "pgo/profile/sorted_counts.h"

namespace pgo {
namespace {

WideSum add_up(WideSum a, WideSum b) {
  WideSum sum = a + b;
  return sum < a ? ~WideSum{0} : sum;
}

WideSum scaled(uint64_t count, MergeFactor factor) { return WideSum{count} * factor.units; }

uint64_t rounded(WideSum sum) {
  constexpr uint64_t kMax = ~uint64_t{0};
  WideSum whole = sum >> MergeFactor::kBits;
  bool up = (sum >> (MergeFactor::kBits - 1) & 1) != 0;
  if (whole >= kMax) return kMax;
  return static_cast<uint64_t>(whole) + (up ? 1 : 0);
}

template <typename Summed>
void sum_equal(std::vector<Summed>& rows) {
  sort_and_merge(
      rows, 1, [](const Summed& summed) { return key(summed.row); },
      [](Summed& into, const Summed& from) {
        for (size_t i = 0; i < into.sums.size(); i++)
          into.sums[i] = add_up(into.sums[i], from.sums[i]);
      });
}

template <typename Row, typename Summed>
void add_counts(const Row& row, MergeFactor factor, Summed& into) {
  auto counts = counts_of(row);
  for (size_t i = 0; i < counts.size(); i++)
    into.sums[i] = add_up(into.sums[i], scaled(counts[i], factor));
}

// Calls take(sum, row) with what is next of two sorted tables, by key; null where one has none.
template <typename Row, typename Summed, typename Take>
void walk(const std::vector<Summed>& sums, const std::vector<Row>& rows, const Take& take) {
  auto sum = sums.begin();
  auto row = rows.begin();
  while (sum != sums.end() || row != rows.end()) {
    bool of_sums = row == rows.end() || (sum != sums.end() && !(key(*row) < key(sum->row)));
    bool of_rows = sum == sums.end() || (row != rows.end() && !(key(sum->row) < key(*row)));
    take(of_sums ? &*sum++ : nullptr, of_rows ? &*row++ : nullptr);
  }
}

// Few rows wait at the end until sum_equal(). Many are merged at once, into as much as they need.
template <typename Row, typename Summed>
void add_scaled(const std::vector<Row>& rows, MergeFactor factor, std::vector<Summed>& into) {
  auto is_sorted = [](const std::vector<Row>& table) {
    return is_sorted_unique(table, [](const Row& row) { return key(row); });
  };
  if (rows.size() < into.size() / 4 || !is_sorted(rows)) {
    for (const Row& row : rows) {
      into.push_back({row, {}});
      add_counts(row, factor, into.back());
    }
    return;
  }
  sum_equal(into);
  size_t size = 0;
  walk(into, rows, [&](const Summed*, const Row*) { size++; });
  std::vector<Summed> merged;
  merged.reserve(size);
  walk(into, rows, [&](const Summed* sum, const Row* row) {
    merged.push_back(sum != nullptr ? *sum : Summed{*row, {}});
    if (row != nullptr) add_counts(*row, factor, merged.back());
  });
  into = std::move(merged);
}

template <typename Summed>
void append(std::vector<Summed>&& rows, std::vector<Summed>& into) {
  if (into.empty())
    into = std::move(rows);
  else
    into.insert(into.end(), rows.begin(), rows.end());
}

template <typename Row, typename Summed>
void round(const std::vector<Summed>& rows, std::vector<Row>& into) {
  for (const Summed& summed : rows) {
    auto counts = counts_of(summed.row);
    for (size_t i = 0; i < counts.size(); i++) counts[i] = rounded(summed.sums[i]);
    // A PC sample without a weight still is a sample.
    if (std::all_of(counts.begin(), counts.end(), [](uint64_t count) { return count == 0; }))
      continue;
    into.push_back(summed.row);
    set_counts(into.back(), counts);
  }
}

}  // namespace

void AddressMerger::BinarySums::compact() {
  sum_equal(traces);
  sum_equal(mispredicts);
  sum_equal(pc_samples);
  sum_equal(calls);
}

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

AddressMerger::BinarySums& AddressMerger::binary(const BuildId& id, const std::string& path_hint) {
  BinarySums& sums = binaries_[{id, id.empty() ? path_hint : std::string()}];
  bool better = !path_hint.empty() && path_hint < sums.path_hint;
  if (sums.path_hint.empty() || better) sums.path_hint = path_hint;
  return sums;
}

void AddressMerger::add(AddressProfile profile, MergeFactor factor) {
  for (const BinaryCounts& counts : profile.binaries) {
    BinarySums& sums = binary(counts.id, counts.path_hint);
    add_scaled(counts.traces, factor, sums.traces);
    add_scaled(counts.mispredicts, factor, sums.mispredicts);
    add_scaled(counts.pc_samples, factor, sums.pc_samples);
    add_scaled(counts.calls, factor, sums.calls);
  }
  for (const EventInfo& event : profile.events) {
    WideSum& sum = events_[{event.name, {event.is_frequency, event.period}}];
    sum = add_up(sum, scaled(event.samples, factor));
  }
  samples_.add(profile.samples, factor);
  branches_.add(profile.branches, factor);
  lost_ = add_up(lost_, scaled(profile.lost, factor));
  origins_.add(profile.origins);
  diagnostics_.add(profile.diagnostics);
  compact_if_grown();
}

void AddressMerger::add(AddressMerger&& other) {
  for (auto& [binary_key, from] : other.binaries_) {
    BinarySums& sums = binary(binary_key.first, from.path_hint);
    append(std::move(from.traces), sums.traces);
    append(std::move(from.mispredicts), sums.mispredicts);
    append(std::move(from.pc_samples), sums.pc_samples);
    append(std::move(from.calls), sums.calls);
  }
  for (const auto& [event, from] : other.events_) events_[event] = add_up(events_[event], from);
  samples_.add(other.samples_);
  branches_.add(other.branches_);
  lost_ = add_up(lost_, other.lost_);
  origins_.add(other.origins_);
  diagnostics_.add(other.diagnostics_);
  compact_if_grown();
}

// Whenever what was added outgrows what is merged: linear in all, bounded in memory.
void AddressMerger::compact_if_grown() {
  size_t rows = 0;
  for (const auto& [binary_key, sums] : binaries_) rows += sums.rows();
  if (rows <= 2 * compacted_rows_) return;
  compacted_rows_ = 0;
  for (auto& [binary_key, sums] : binaries_) {
    sums.compact();
    compacted_rows_ += sums.rows();
  }
}

AddressProfile AddressMerger::finish() && {
  AddressProfile profile;
  for (auto& [binary_key, sums] : binaries_) {
    sums.compact();
    BinaryCounts counts;
    counts.id = binary_key.first;
    counts.path_hint = sums.path_hint;
    round(sums.traces, counts.traces);
    round(sums.mispredicts, counts.mispredicts);
    round(sums.pc_samples, counts.pc_samples);
    round(sums.calls, counts.calls);
    sums = {};
    profile.binaries.push_back(std::move(counts));
  }
  for (const auto& [event, sum] : events_)
    profile.events.push_back({event.first, rounded(sum), event.second.second, event.second.first});
  profile.samples = samples_.rounded();
  profile.branches = branches_.rounded();
  profile.lost = rounded(lost_);
  profile.origins = std::move(origins_);
  profile.diagnostics = diagnostics_;
  return profile;
}

}  // namespace pgo
