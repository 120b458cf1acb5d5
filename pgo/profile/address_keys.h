// The key of each row of an AddressProfile, in sorting order, and the numbers that are added when
// two rows have the same key.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "pgo/profile/address_profile.h"

namespace pgo {

inline auto key(const Trace& t) { return std::tie(t.from, t.to, t.last, t.reading); }
inline auto key(const Mispredict& m) { return std::tie(m.from, m.to); }
inline auto key(const PcSample& s) { return std::tie(s.pc); }
inline auto key(const CallEdge& c) { return std::tie(c.caller, c.callee, c.is_leaf); }
// Hosts may have one binary at different paths; only without an id is the path all there is.
inline auto key(const BinaryCounts& b) {
  return std::pair<const BuildId&, std::string_view>(
      b.id, b.id.empty() ? std::string_view(b.path_hint) : std::string_view());
}
inline auto key(const EventInfo& e) { return std::tie(e.name, e.is_frequency, e.period); }

// The numbers of a row that add up where keys are equal. A row whose numbers are all 0 counts
// nothing.
template <typename Row>
std::array<uint64_t, 1> counts_of(const Row& row) {
  return {row.count};
}
inline std::array<uint64_t, 2> counts_of(const PcSample& s) { return {s.samples, s.weight}; }

template <typename Row>
void set_counts(Row& row, const std::array<uint64_t, 1>& counts) {
  row.count = counts[0];
}
inline void set_counts(PcSample& s, const std::array<uint64_t, 2>& counts) {
  s.samples = counts[0];
  s.weight = counts[1];
}

template <typename Row>
inline constexpr size_t kCountsOf = std::tuple_size_v<decltype(counts_of(std::declval<Row>()))>;

}  // namespace pgo
