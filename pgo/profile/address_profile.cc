#include "pgo/profile/address_profile.h"

#include <algorithm>
#include <iterator>
#include <ostream>

#include "pgo/profile/address_keys.h"
#include "pgo/profile/sorted_counts.h"

namespace pgo {
namespace {

constexpr auto kKey = [](const auto& item) { return key(item); };

template <typename T>
void append(std::vector<T>& into, std::vector<T> from) {
  if (into.empty()) {
    into = std::move(from);
  } else {
    into.insert(into.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
  }
}

std::ostream& operator<<(std::ostream& out, OptElfAddr addr) {
  if (!addr) return out << '-';
  return out << std::hex << (*addr).value << std::dec;
}

}  // namespace

void BinaryCounts::normalize(unsigned jobs) {
  sort_and_sum(traces, jobs, kKey);
  sort_and_sum(mispredicts, jobs, kKey);
  sort_and_sum(ips, jobs, kKey);
  sort_and_sum(calls, jobs, kKey);
}

void AddressProfile::add(AddressProfile other) {
  append(binaries, std::move(other.binaries));
  append(events, std::move(other.events));
  samples.add(other.samples);
  branches.add(other.branches);
  lost = saturating_add(lost, other.lost);
  diagnostics.add(other.diagnostics);
}

uint64_t BinaryCounts::plain_weight() const {
  uint64_t weight = 0;
  for (const IpCount& ip : ips) weight = saturating_add(weight, ip.count);
  return weight;
}

void AddressProfile::normalize(unsigned jobs) {
  sort_and_merge(binaries, 1, kKey, [](BinaryCounts& into, const BinaryCounts& from) {
    bool better = !from.path_hint.empty() && from.path_hint < into.path_hint;
    if (into.path_hint.empty() || better) into.path_hint = from.path_hint;
    append(into.traces, from.traces);
    append(into.mispredicts, from.mispredicts);
    append(into.ips, from.ips);
    append(into.calls, from.calls);
  });
  for (BinaryCounts& binary : binaries) binary.normalize(jobs);
  sort_and_merge(events, 1, kKey, [](EventInfo& into, const EventInfo& from) {
    into.samples = saturating_add(into.samples, from.samples);
  });
}

std::optional<std::string> AddressProfile::check() const {
  if (!is_sorted_unique(binaries, kKey)) return "binaries are not sorted by unique build id";
  if (!is_sorted_unique(events, kKey)) return "events are not sorted by unique name";
  for (const BinaryCounts& binary : binaries) {
    if (!is_sorted_unique(binary.traces, kKey)) return "traces are not sorted by unique key";
    if (!is_sorted_unique(binary.mispredicts, kKey))
      return "mispredicts are not sorted by unique key";
    if (!is_sorted_unique(binary.ips, kKey)) return "ips are not sorted by unique address";
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
    for (const IpCount& c : binary.ips) out << "  ip " << c.ip << ' ' << c.count << '\n';
    for (const CallEdge& c : binary.calls)
      out << "  call " << c.caller << ' ' << c.callee << ' ' << c.count
          << (c.is_leaf ? " leaf" : "") << '\n';
  }
  for (auto [what, accounting] : {std::pair{"samples", &samples}, {"branches", &branches}}) {
    out << what << " seen " << accounting->seen << " used " << accounting->used;
    for (size_t i = 0; i < kDroppedCount; i++)
      if (accounting->dropped[i] != 0)
        out << ' ' << dropped_name(static_cast<Dropped>(i)) << ' ' << accounting->dropped[i];
    out << '\n';
  }
  if (lost != 0) out << "lost " << lost << '\n';
}

}  // namespace pgo
