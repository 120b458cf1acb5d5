// Side: one of the two sides of a comparison, as numbers: for each row (a function, a line, a label
// ...) and each member (a profile of one host and hour) what was sampled there. What the rows are,
// and how they came here, is the caller's business.
//
//   Side side;
//   side.members = {{.host = "web-1", .hour = "08", .weight = 5e9, .samples = 500}, ...};
//   side.rows.push({.value = 1e9, .samples = 100, .member = 0}), side.rows.end_list();  // row 0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/flat_lists.h"

namespace pgo::verify {

// Samples are counted as of equal weight. Where they are not, a count is the number of equal ones
// that would be as uncertain, (sum of weights)^2 / sum of squared weights (Kish 1965).
inline double equal_samples(double weights, double squares) {
  return squares > 0 ? weights * weights / squares : 0;
}

struct Member {
  // Members of one host are not independent. Empty: unknown, a host of its own.
  std::string host = {};
  // Pairs members of the two sides that have the same host, too; an hour of the day, say.
  std::string hour = {};
  double weight = 0;   // of all samples, in the unit of Cell::value
  double samples = 0;  // that this weight comes from
  double units = 0;    // of work that was done meanwhile, where costs are per unit
  // How much the member counts: weight and units are multiplied by it, and samples are not.
  double scale = 1;
  // Whoever made the side left out all of its samples, or all of its units.
  bool emptied = false;
};

struct Cell {
  double value = 0;     // weight; at most that of the member
  float samples = 0;    // that this value comes from
  uint32_t member = 0;  // an index
};

struct Side {
  std::vector<Member> members;
  // Of a row, one cell for each member that has it, in any order.
  FlatLists<Cell> rows;
};

// A side with one row, which is all that was sampled: for the comparison of totals.
inline Side everything(std::vector<Member> members) {
  Side side{std::move(members), {}};
  for (uint32_t m = 0; m < side.members.size(); m++)
    side.rows.push({side.members[m].weight, static_cast<float>(side.members[m].samples), m});
  side.rows.end_list();
  return side;
}

}  // namespace pgo::verify
