// Bundles as sides of comparisons: members have labels, and count by their weights.
#include <gtest/gtest.h>

#include "pgo/diff/diff.h"
#include "pgo/diff/member_units.h"
#include "pgo/diff/side_rows.h"
#include "tests/data/bundle_files.h"
#include "tests/data/temporary_files.h"

namespace pgo::weighted_sides_test {
namespace {

class WeightedSides : public test::TemporaryFiles {
 protected:
  SideRows read(SideRowsRequest request) const {
    Diagnostics diagnostics;
    Result<SideRows> side = read_side_rows(request, diagnostics);
    EXPECT_TRUE(side) << side.error().message;
    EXPECT_TRUE(diagnostics.entries().empty());
    return *std::move(side);
  }
  void write_fleet() const {
    test::write_bundle(path("q"),
                       {{"1.folded", "main;a 10\nmain;b 30\n", {1, 4}, {{"host", "web-1"}}},
                        {"2.folded", "main;a 10\n", {3, 4}, {{"host", "web-2"}}}});
  }
};

TEST_F(WeightedSides, MultiplyValuesAndKeepSamples) {
  write_fleet();
  const SideRows side = read({.inputs = {path("q")}});
  const verify::Side& flat = side.rows.flat[0];
  ASSERT_EQ(flat.members.size(), 2u);
  EXPECT_EQ(flat.members[0].host, "web-1");
  EXPECT_EQ(flat.members[0].weight, 20);
  EXPECT_EQ(flat.members[0].samples, 40);  // as many as without the weight
  EXPECT_EQ(flat.members[1].host, "web-2");
  EXPECT_EQ(flat.members[1].weight, 15);
  ASSERT_EQ(side.rows.keys.size(), 3u);  // a, b, main
  ASSERT_EQ(flat.rows[0].size(), 2u);
  EXPECT_EQ(flat.rows[0][0].value, 5);
  EXPECT_EQ(flat.rows[0][0].samples, 10);
  EXPECT_EQ(flat.rows[0][1].value, 15);
  EXPECT_EQ(side.rows.cumulative[0].rows[2][0].value, 20);
}

TEST_F(WeightedSides, TakeTheLabelsOfPathsFirst) {
  write_fleet();
  SideRowsRequest request{.inputs = {path("q")}};
  request.reader.path_template = "{host}.folded";
  EXPECT_EQ(read(request).rows.flat[0].members[1].host, "2");
}

TEST_F(WeightedSides, CanBeDividedByLabelsOfTheBundle) {
  write_fleet();
  const SideRows side = read({.inputs = {path("q") + "#host=web-2"}});
  ASSERT_EQ(side.rows.flat[0].members.size(), 1u);
  EXPECT_EQ(side.rows.flat[0].members[0].weight, 15);
}

TEST_F(WeightedSides, WeighAFileThatIsNamedTwiceAsItsBundleSays) {
  write_fleet();
  for (const std::vector<std::string>& inputs :
       {std::vector{path("q"), path("q/1.folded")}, std::vector{path("q/1.folded"), path("q")}}) {
    const SideRows side = read({.inputs = inputs});
    ASSERT_EQ(side.rows.flat[0].members.size(), 2u);
    EXPECT_EQ(side.rows.flat[0].members[0].weight, 20);
  }
}

TEST_F(WeightedSides, MultiplyUnitsOfWorkToo) {
  std::vector<verify::Member> members{{.host = "web-1", .weight = 20, .scale = .5},
                                      {.host = "web-2", .weight = 15, .scale = 1.5}};
  Diagnostics diagnostics;
  ASSERT_TRUE(assign_units({{"web-1", 100}, {"web-2", 100}}, 0, {"a", "b"}, "before", members,
                           diagnostics));
  EXPECT_EQ(members[0].units, 50);
  EXPECT_EQ(members[1].units, 150);
  ASSERT_TRUE(assign_units({}, 300, {"a", "b"}, "before", members, diagnostics));
  EXPECT_EQ(members[0].units, 75);
  EXPECT_EQ(members[1].units, 225);
}

TEST_F(WeightedSides, AreMergedByWeight) {
  write_fleet();
  write("after/1.folded", "main;a 35\n");
  DiffRequest request;
  request.sides = {{{path("q")}, {path("after")}}};
  request.wants_merged = true;
  Result<DiffResult> result = diff(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].weight, 35);
  ASSERT_TRUE(result->merged);
  std::map<std::string, int64_t> values;
  const StackProfile& merged = *result->merged;
  for (size_t i = 0; i < merged.samples.size(); i++) {
    const LocationId leaf = merged.stacks[static_cast<size_t>(merged.samples[i].stack)][0];
    const StackLine& line = merged.lines[static_cast<size_t>(leaf)][0];
    values[std::string(merged.text(merged.functions[static_cast<size_t>(line.function)].name))] +=
        merged.values_of(i)[0];
  }
  EXPECT_EQ(values, (std::map<std::string, int64_t>{{"a", 15}, {"b", -15}}));
}

TEST_F(WeightedSides, OfEqualWeightsAreAsWithoutABundle) {
  test::write_bundle(path("q"), {{"1.folded", "a 10\n", {2, 7}}, {"2.folded", "a 3\n", {2, 7}}});
  write("plain/1.folded", "a 10\n");
  write("plain/2.folded", "a 3\n");
  const SideRows with = read({.inputs = {path("q")}}), without = read({.inputs = {path("plain")}});
  for (size_t m = 0; m < 2; m++) {
    EXPECT_EQ(with.rows.flat[0].members[m].weight, without.rows.flat[0].members[m].weight);
    EXPECT_EQ(with.rows.flat[0].rows[0][m].value, without.rows.flat[0].rows[0][m].value);
  }
}

}  // namespace
}  // namespace pgo::weighted_sides_test
