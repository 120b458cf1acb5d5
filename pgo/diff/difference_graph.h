// The flame graph of a comparison: both sides in shares or in costs of a unit, as the comparison
// has them; frames by the names that rows have.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "converters/flame_graph/flame_tree.h"
#include "pgo/base/result.h"
#include "pgo/diff/row_table.h"
#include "pgo/diff/sample_weight.h"

namespace pgo {

struct DiffResult;

class DifferenceGraph {
 public:
  // As the rows of a table with these options.
  explicit DifferenceGraph(RowOptions options) : options_(std::move(options)) {}

  // All samples of `profile`, which is spent by it: its functions get the names of rows.
  void add(StackProfile& profile, const SampleWeight& weight, size_t side);
  // Calls the binaries of frames what rows call them; empty names make frames of one name one.
  void rename_binaries(const std::function<std::string(const std::string&)>& name_of);
  // `result` has its sides and its rows, which say how certain differences are. Errors: kEmpty when
  // no side has a sample; those of FlameTree::to_costs_of_one().
  Result<FlameTree> build(const DiffResult& result) const;

 private:
  RowOptions options_;
  FlameTreeBuilder builder_{2};
};

}  // namespace pgo
