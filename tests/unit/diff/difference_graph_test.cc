#include "pgo/diff/difference_graph.h"

#include <gtest/gtest.h>

#include "pgo/diff/diff.h"
#include "tests/data/temporary_files.h"

namespace pgo::difference_graph_test {
namespace {

using DifferenceGraphTest = test::TemporaryFiles;

// Checkouts cost 10 samples and searches 1, on both sides: 4.6 on average before, 6.4 after. The
// rows are of the common mix, the stacks are those that were recorded: their whole is theirs.
TEST_F(DifferenceGraphTest, DrawsWhatWasRecordedOfAStandardizedComparison) {
  write("before/checkout.folded", "main;f 400\n");
  write("before/search.folded", "main;g 60\n");
  write("after/checkout.folded", "main;f 600\n");
  write("after/search.folded", "main;g 40\n");
  DiffRequest request;
  request.sides = {{{path("before")}, {path("after")}}};
  request.path_template = "{endpoint}.folded";
  request.standardize = "endpoint";
  request.measure = verify::Measure::kPerUnit;
  request.member_units = {
      {{{"", 40, "checkout"}, {"", 60, "search"}}, {{"", 60, "checkout"}, {"", 40, "search"}}}};
  request.wants_graph = true;
  Result<DiffResult> result = diff(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NEAR(result->total->rate_a, 5.5, 1e-9);
  EXPECT_NEAR(result->total->rate_b, 5.5, 1e-9);
  const FlameTree& tree = *result->graph;
  for (size_t side = 0; side < 2; side++) {
    EXPECT_EQ(tree.nodes[0].total[side], tree.sides[side].whole) << side;
    EXPECT_NEAR(static_cast<double>(tree.sides[side].whole) * tree.value_size,
                side == 0 ? 4.6 : 6.4, 1e-9);
  }
}

TEST_F(DifferenceGraphTest, SaysWhatItCannotDraw) {
  DiffRequest request;
  request.sides = {{{write("a.folded", "main;f 400\n")}, {write("b.folded", "main;f 300\n")}}};
  request.measure = verify::Measure::kPerUnit;
  request.units = {1e-3, 1e9};
  EXPECT_TRUE(diff(request));
  request.wants_graph = true;
  Result<DiffResult> result = diff(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace pgo::difference_graph_test
