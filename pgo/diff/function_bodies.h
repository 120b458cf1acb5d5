// Function bodies: the cost of a function together with what is inlined into it, for comparisons of
// two builds that inline differently.
//
// A sample is in a chain of functions: the innermost one, those that it is inlined into, and the
// one that the linker knows, which has code of its own. Another build inlines other functions, and
// even where it inlines the same ones, it mixes their code in another way: costs then seem to move
// among the functions of a chain. The cost of a body stays. The body of a chain is that of its
// innermost function with code of its own in either build, so that a body is the same in both:
//
//   before   next() is called     parse < next     next() has code of its own: the body of next()
//   after    next() is inlined    parse < next < main                          the body of next()
//
// A function has code of its own if, on one side, copies that are not inlined have at least half of
// the mean of what it costs on both sides: a few samples in a rare copy make no body.
//
// Bodies exchange code where one side inlines most of a function, and the other does not, as when
// the target of a virtual call is inlined: what the call cost, and what the compiler moves across
// it, goes from one body to the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "pgo/diff/row_sum.h"
#include "pgo/verify/side.h"

namespace pgo {

// A part of a body: a function of it, with the share of the function's own cost, on each side, that
// is in this body.
struct BodyPart {
  uint32_t row = 0;  // an index, as `body`
  uint32_t body = 0;
  std::array<double, 2> shares{};
};

// Two bodies that exchange code: one side inlines the one into the other.
struct BodyLink {
  uint32_t inlined = 0, into = 0;  // rows
  auto operator<=>(const BodyLink&) const = default;
};

struct FunctionBodies {
  // Of each side: row i is the body of function i, empty where it has none.
  std::array<FlatLists<verify::Cell>, 2> cells;
  std::vector<BodyPart> parts;  // sorted by body and row
  std::vector<BodyLink> links;  // sorted
};

// Adds up the samples of chains of rows.
class ChainTable {
 public:
  // The number of a chain; `rows` has the innermost first, and is not empty.
  uint32_t chain_of(std::span<const uint32_t> rows);
  void count(uint32_t chain, int64_t value, double samples);
  // What was counted since is of this member.
  void store(size_t side, uint32_t member);

  // `final_rows`: by the numbers of rows in chains. `members`: of each side, by which cells are
  // scaled. O(chains * (rows of each + cells)).
  FunctionBodies finish(std::span<const uint32_t> final_rows, size_t rows,
                        const std::array<std::vector<verify::Member>, 2>& members) const;

 private:
  std::map<std::vector<uint32_t>, uint32_t> numbers_;
  std::vector<RowSum> sums_;  // by chain, of the member at hand
  std::vector<uint32_t> touched_;
  std::vector<std::array<std::vector<verify::Cell>, 2>> cells_;
};

}  // namespace pgo
