// From p values of many tests to what a table, or a verdict, may call changed.
#pragma once

#include <span>
#include <vector>

namespace pgo::verify {

// The q value of each p value: the smallest rate of false discoveries at which its test is one of
// the discoveries. "q <= .05" then keeps the expected share of false ones among all discoveries
// below 5 %, of independent tests and of those that depend positively on each other (Benjamini and
// Hochberg 1995; Benjamini and Yekutieli 2001). Rows of one table depend negatively, too, since
// shares add up to one; docs/measurements/diff.md has what that costs. O(n log n).
std::vector<double> benjamini_hochberg(std::span<const double> p);

// Holm's adjusted p values, in the order of `p`: the probability that one or more of those below
// .05 are false is 5 % at most, however the tests depend on each other. O(n log n).
std::vector<double> holm(std::span<const double> p);

}  // namespace pgo::verify
