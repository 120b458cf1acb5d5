// The flame graph of a comparison: both sides in shares, frames by the names that rows have.
#pragma once

#include <string>
#include <vector>

#include "converters/flame_graph/flame_tree.h"
#include "pgo/base/result.h"
#include "pgo/diff/row_table.h"
#include "pgo/diff/sample_weight.h"

namespace pgo {

struct DiffResult;

class DifferenceGraph {
 public:
  explicit DifferenceGraph(bool physical) : physical_(physical) {}

  // All samples of `profile`, which is spent by it: its functions get the names of rows.
  void add(StackProfile& profile, const SampleWeight& weight, size_t side);
  // With what is known of how certain the rows of `result` are. Error: kEmpty when no side has a
  // sample.
  Result<FlameTree> build(const DiffResult& result) const;

 private:
  bool physical_;
  FlameTreeBuilder builder_{2};
};

}  // namespace pgo
