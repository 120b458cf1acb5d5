// What the rows of an AddressProfile are told apart by, in the order that sorts them.
#pragma once

#include <string_view>
#include <tuple>
#include <utility>

#include "pgo/profile/address_profile.h"

namespace pgo {

inline auto key(const Trace& t) { return std::tie(t.from, t.to, t.last, t.reading); }
inline auto key(const Mispredict& m) { return std::tie(m.from, m.to); }
inline auto key(const IpCount& c) { return std::tie(c.ip); }
inline auto key(const CallEdge& c) { return std::tie(c.caller, c.callee, c.is_leaf); }
// Hosts may have one binary at different paths; only without an id is the path all there is.
inline auto key(const BinaryCounts& b) {
  return std::pair<const BuildId&, std::string_view>(
      b.id, b.id.empty() ? std::string_view(b.path_hint) : std::string_view());
}
inline auto key(const EventInfo& e) { return std::tie(e.name, e.is_frequency, e.period); }

}  // namespace pgo
