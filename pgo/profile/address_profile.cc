#include "pgo/profile/address_profile.h"

#include <algorithm>
#include <ostream>

#include "pgo/profile/address_keys.h"
#include "pgo/profile/address_merger.h"
#include "pgo/profile/sorted_counts.h"

namespace pgo {
namespace {

constexpr auto kKey = [](const auto& item) { return key(item); };

// Sorts rows and adds up those of one key.
template <typename Row>
void sort_rows(std::vector<Row>& rows, unsigned jobs) {
  sort_and_merge(rows, jobs, kKey, [](Row& into, const Row& from) {
    auto counts = counts_of(into), more = counts_of(from);
    for (size_t i = 0; i < counts.size(); i++) counts[i] = saturating_add(counts[i], more[i]);
    set_counts(into, counts);
  });
}

std::ostream& operator<<(std::ostream& out, OptElfAddr addr) {
  if (!addr) return out << '-';
  return out << std::hex << (*addr).value << std::dec;
}

}  // namespace

void BinaryCounts::normalize(unsigned jobs) {
  sort_rows(traces, jobs);
  sort_rows(mispredicts, jobs);
  sort_rows(pc_samples, jobs);
  sort_rows(calls, jobs);
}

uint64_t BinaryCounts::pc_sample_count() const {
  uint64_t count = 0;
  for (const PcSample& sample : pc_samples) count = saturating_add(count, sample.samples);
  return count;
}

uint64_t BinaryCounts::pc_sample_weight() const {
  uint64_t weight = 0;
  for (const PcSample& sample : pc_samples) weight = saturating_add(weight, sample.weight);
  return weight;
}

void AddressProfile::normalize(unsigned jobs) {
  auto by_key = [](const auto& a, const auto& b) { return key(a) < key(b); };
  for (BinaryCounts& binary : binaries) binary.normalize(jobs);
  std::stable_sort(binaries.begin(), binaries.end(), by_key);
  std::stable_sort(events.begin(), events.end(), by_key);
  if (is_sorted_unique(binaries, kKey) && is_sorted_unique(events, kKey)) return;
  // Several entries are of one binary or event: merged as if each were a profile of its own.
  AddressMerger merger;
  merger.add(std::move(*this));
  *this = std::move(merger).finish();
}

bool AddressProfile::has_traces() const {
  return std::any_of(binaries.begin(), binaries.end(),
                     [](const BinaryCounts& counts) { return !counts.traces.empty(); });
}

std::optional<std::string> AddressProfile::check() const {
  if (!is_sorted_unique(binaries, kKey)) return "binaries are not sorted by unique build ID";
  if (!is_sorted_unique(events, kKey)) return "events are not sorted by unique name";
  for (const BinaryCounts& binary : binaries) {
    if (!is_sorted_unique(binary.traces, kKey)) return "traces are not sorted by unique key";
    if (!is_sorted_unique(binary.mispredicts, kKey))
      return "mispredicts are not sorted by unique key";
    if (!is_sorted_unique(binary.pc_samples, kKey))
      return "PC samples are not sorted by unique address";
    if (!is_sorted_unique(binary.calls, kKey)) return "calls are not sorted by unique key";
    for (const Trace& trace : binary.traces)
      if (!trace.from && !trace.to) return "a trace has both ends outside its binary";
  }
  if (auto broken = samples.check()) return "samples: " + *broken;
  if (auto broken = branches.check()) return "branches: " + *broken;
  return std::nullopt;
}

void AddressProfile::dump(std::ostream& out) const {
  for (const EventInfo& event : events)
    out << "event " << event.name << (event.is_frequency ? " frequency " : " period ")
        << event.period << " samples " << event.samples << '\n';
  for (const BinaryCounts& binary : binaries) {
    out << "binary " << (binary.id.empty() ? "-" : binary.id.hex()) << ' ' << binary.path_hint
        << '\n';
    static constexpr std::string_view kReadings[] = {"", " llvm", " bolt"};
    for (const Trace& t : binary.traces)
      out << "  trace " << t.from << ' ' << t.to << ' ' << t.last << ' ' << t.count
          << kReadings[static_cast<size_t>(t.reading)] << '\n';
    for (const Mispredict& m : binary.mispredicts)
      out << "  mispredict " << m.from << ' ' << m.to << ' ' << m.count << '\n';
    for (const PcSample& s : binary.pc_samples)
      out << "  pc " << s.pc << " samples " << s.samples << " weight " << s.weight << '\n';
    for (const CallEdge& c : binary.calls)
      out << "  call " << c.caller << ' ' << c.callee << ' ' << c.count
          << (c.is_leaf ? " leaf" : "") << '\n';
  }
  for (auto [what, accounting] : {std::pair{"samples", &samples}, {"branches", &branches}}) {
    out << what << " seen " << accounting->seen << " used " << accounting->used;
    if (accounting->pending != 0) out << " pending " << accounting->pending;
    for (size_t i = 0; i < kDroppedCount; i++)
      if (accounting->dropped[i] != 0)
        out << ' ' << dropped_name(static_cast<Dropped>(i)) << ' ' << accounting->dropped[i];
    out << '\n';
  }
  if (lost != 0) out << "lost " << lost << '\n';
  for (const auto& [label, values] : origins.labels)
    for (const auto& [value, profiles] : values.of)
      out << "origin " << label << ' ' << value << ' ' << profiles << '\n';
}

}  // namespace pgo
