// Outliers: profiles that differ from those of other hosts by more than chance: a host that runs
// something else, a profile of another program.
//
// Each profile is compared with the median of the others, leaf by leaf: a median does not notice
// what a few of them do. They overlap less the fewer samples there are, so what is judged is the
// distance (1 - overlap) less the distance that a sample of this size has from the median on
// average. It is an outlier's if it is far above those of the others, as medians and not means have
// it (thresholds::kOutlierDeviations).
//
// The addresses of two builds say nothing of each other, so all others are of the same build.
// Nights run other code than days, and zones may differ. So the others are those of the same hour,
// zone, version and endpoint; where these are too few, those of the same hour; or else all. These
// may differ for a reason, so a profile is no outlier among them if profiles of two other hosts are
// like it: of the same zone or the same night, say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/fetch/leaf_shares.h"
#include "pgo/fetch/selection.h"

namespace pgo {

struct ComparedProfile {
  const LeafShares* leaves = nullptr;  // not null
  uint64_t samples = 0;
  StratumKey stratum;        // as far as it is known
  std::string program = {};  // its build ID; empty: not known
};

struct PeerComparison {
  double overlap = 0;   // with the median of the others, 0 to 1
  double expected = 0;  // overlap of a sample of this size with the median
  size_t peers = 0;     // the others
  bool is_outlier = false;
};

// Of each profile; nothing where there are too few others. O(leaves log leaves) of all profiles
// together; O(leaves of a median) for each, and O(leaves of all) for one that is far from all.
std::vector<std::optional<PeerComparison>> compare_with_peers(
    const std::vector<ComparedProfile>& profiles);

}  // namespace pgo
