// A fleet that profiles are taken of, before and after a release: what comparisons are tested on,
// since here it is known what changed.
//
// A function's cost on a member, a profile of one host and hour, is
//
//     its share of the program (Zipf) x e^(host's own + group's on that host + member's own)
//
// with normal effects: hosts differ, functions of a group move together, and each member differs a
// little besides. Shares add up to one. The load of a member, and so the number of its samples, is
// gamma distributed, on a curve over the day. Samples come in bursts: counts are negative binomial.
#pragma once

#include <vector>

#include "pgo/verify/side.h"
#include "tests/data/random_numbers.h"

namespace pgo::verify {

struct FleetOptions {
  uint32_t functions = 300;
  uint32_t hosts = 5;        // a side
  uint32_t hosts_after = 0;  // 0: as many; for sides with hosts of their own
  uint32_t hours = 1;        // a host: a member each
  bool same_hosts = false;   // on both sides, at the same hours
  double samples = 20000;    // of a member, on average
  double host_sd = .07, group_sd = .05, member_sd = .02;
  double host_units_sd = .05;  // of the cost of a unit of work on a host
  uint32_t groups = 20;
  double load_shape = 4;  // of the gamma distribution: loads vary by 50 %
  double contention = 0;  // the cost of every tenth function, and of a unit, is load^contention
  double burst = 2;       // the variance of a count, in parts of a Poisson count's
  // What changed: the cost of this function, by this factor.
  uint32_t changed = 0;
  double factor = 1;
  // How much releases differ although nothing is wrong, in simulate_releases(): in the cost of
  // everything, and in that of each function besides.
  double release_sd = 0, function_sd = 0;
};

struct Fleet {
  Side before, after;
};

// Functions 0, 1 and 2 have shares of 20, 5 and 1 %; the others share the rest by Zipf's law.
std::vector<double> shares_of(const FleetOptions& options);

Fleet simulate_fleet(const FleetOptions& options, uint64_t seed);

// A side for each of several releases; the function changed in the last one. Each release has hosts
// of its own, unless all have the same hosts (same_hosts) at the same hours.
std::vector<Side> simulate_releases(const FleetOptions& options, uint32_t count, uint64_t seed);

}  // namespace pgo::verify
