// Standardization: both sides as if they had done the same mix of work.
//
// Problem: the requests of an endpoint cost more than those of another. If the first becomes more
// frequent, the cost per request and the shares of functions change, although no code changed.
// Idea: a label, such as the endpoint, divides the samples of each side into strata. Each stratum
// is weighted so that both sides have the same mix of strata, such as the mean of both mixes:
//
//     factor(side, stratum) = mix(stratum) * amount(side) / amount(side, stratum)
//
// An amount is a number of units of work. Without units it is the weight of the samples: then only
// changes within strata remain, because the share of a stratum is the same on both sides.
//
// Members have mixes of their own, which would make their costs per unit differ although they cost
// the same for each kind. So the units of a member are counted in units of the mean cost: one of a
// stratum counts by how much it costs on both sides together. Sums of both sides do not change.
//
// Source: direct standardization of rates, as in epidemiology (Keiding, "The method of expected
// number of deaths, 1786-1886-1986", Int. Stat. Rev. 55, 1987).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/diff/member_units.h"
#include "pgo/diff/row_table.h"

namespace pgo {

// The mix that both sides get. With that of the second side, several first sides that are compared
// with it one by one have the same mix.
enum class CommonMix { kMean, kSecond };

struct StratumShare {
  std::string value;               // of the label
  std::array<double, 2> shares{};  // of the work of each side, as measured
  double mix = 0;                  // of the common mix; 0: left out, because only one side has it
};

struct StandardizedRows {
  Rows rows;                      // whose members are wholes; Member::emptied is set
  std::vector<StratumShare> mix;  // sorted by value
};

// `by_units`: by the units of work of the members, not by the weight of their samples. Then samples
// without the label (kNoLabel), such as those of background threads, are no stratum and keep their
// weight. Warns of strata that only one side has, which are left out.
// Errors: kEmpty if no sample has the label, or if the sides have no stratum in common. `label` is
// for messages. O(cells log members).
Result<StandardizedRows> standardize(const Rows& rows, const std::array<SideStrata, 2>& strata,
                                     bool by_units, const std::string& label,
                                     Diagnostics& diagnostics,
                                     CommonMix common_mix = CommonMix::kMean);

}  // namespace pgo
