// MixedBodies: where another build inlines or arranges the code of functions in another way, costs
// seem to move among the functions of a body (function_bodies.h). Then only bodies can be judged.
//
// A body is mixed if what its functions certainly lost is more than half of what others of it
// certainly gained: a regression alone makes nothing else of its body cheaper. (If shares are
// compared, the growth of a function lowers all other shares; this is no loss.) A binary is mixed
// if one of its bodies is, by a gain that is not small: then all of its functions are judged with
// their bodies, since losses of many functions may be too small to be certain.
//
// A body may also have partners: bodies that it exchanges code with (function_bodies.h). If these
// make up for what it gained, the binary is mixed, too, and the body does not count as grown.
//
// Where bodies are known, costs can only have moved between them as far as bodies lost something.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pgo/diff/diff.h"

namespace pgo {

class MixedBodies {
 public:
  // `small_share`: gains that are a smaller share of all cost mix no binary.
  MixedBodies(const DiffResult& result, double small_share);

  struct Growth {
    // One of these bodies grew for certain, and by more than the limit by its estimate.
    bool is_grown = false;
    bool is_known = false;  // none grew by more than the limit, each with 95 % confidence
  };
  // Of the bodies in which most of the growth of a row is, where its binary is mixed. Nothing if it
  // is not, or if these bodies do not tell: because they are too large to grow by the limit.
  std::optional<Growth> growth_of(size_t row, double limit) const;

  // Whether, after, most of a function's cost is in bodies of others.
  bool is_inlined(size_t row) const;
  // What the bodies with a function lost; nothing if they are not known.
  std::optional<double> loss_of_bodies(size_t row) const;

 private:
  struct Part {
    size_t body = 0;  // an index of DiffResult::bodies
    std::array<double, 2> shares{};
  };
  double growth_in(const Part& part, size_t row) const;
  bool can_tell(const Part& part, double limit) const;
  bool is_made_up_for(size_t body, double limit) const;

  const DiffResult& result_;
  std::set<std::string> binaries_;             // that are mixed
  std::vector<double> gained_, lost_;          // of bodies
  std::map<size_t, std::vector<Part>> parts_;  // by row
};

}  // namespace pgo
