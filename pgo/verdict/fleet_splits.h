// FleetSplits: ways to split the profiles of a fleet at random into two halves.
//
//   FleetSplits splits = split_fleet(side, SplitKind::kHosts, 200);
//   for (const Halves& halves : splits.splits) halves[member] == 0 ...
//
// Where a fleet has no more different splits than are wanted, these are all of them, each once: six
// hosts have 20. Drawn at random, each would be there ten times, and look like more evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pgo/verify/side.h"

namespace pgo {

enum class SplitKind {
  kHosts,        // into different hosts, or profiles without a host: a canary and the others
  kWithinHosts,  // of each host into two halves: before and after a release
  kProfiles,     // into different profiles, where hosts are too few for the others
};

// The half of each member: 0, 1, or none.
using Halves = std::vector<uint8_t>;
inline constexpr uint8_t kNoHalf = 2;

struct FleetSplits {
  std::vector<Halves> splits;
  bool are_all = false;  // there are no others
};

// A half needs as many members as pairs of sides do.
inline constexpr size_t kMinSplitMembers = 6;

// The kinds of splits that this fleet is large enough for.
std::vector<SplitKind> split_kinds(const verify::Side& fleet);

// `count`: at most so many. The same ones on every machine. O(count * members).
FleetSplits split_fleet(const verify::Side& fleet, SplitKind kind, size_t count);

// How many members have samples.
size_t count_active(const verify::Side& fleet);

}  // namespace pgo
