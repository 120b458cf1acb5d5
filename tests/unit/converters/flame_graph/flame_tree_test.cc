#include "converters/flame_graph/flame_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

namespace pgo::flame_tree_test {
namespace {

// "main 10 2" for a node of the values 10 and, of itself, 2; two spaces for each level.
std::string drawn(const FlameTree& tree) {
  std::ostringstream text;
  for (const FlameNode& node : tree.nodes) {
    text << std::string(2 * node.depth, ' ') << tree.frames[node.frame].name;
    for (size_t side = 0; side < tree.sides.size(); side++)
      text << (side == 0 ? " " : " | ") << node.total[side] << ' ' << node.self[side];
    text << '\n';
  }
  return text.str();
}

// "name flat cumulative" of each row.
std::string table(const FlameTree& tree) {
  std::ostringstream text;
  for (const FlameFunction& row : tree.functions)
    text << tree.frames[row.frame].name << ' ' << row.flat[0] << ' ' << row.cumulative[0] << '\n';
  return text.str();
}

using Stacks = std::vector<std::pair<std::vector<std::string>, int64_t>>;

void add(FlameTreeBuilder& builder, const Stacks& stacks, size_t side = 0) {
  for (const auto& [names, value] : stacks) {
    std::vector<uint32_t> frames;
    for (const std::string& name : names) frames.push_back(builder.add_frame({name, {}, {}}));
    builder.add_stack(frames, side, value);
  }
}

FlameTree tree_of(const Stacks& stacks, const FlameOptions& options = {}) {
  FlameTreeBuilder builder(1);
  add(builder, stacks);
  Result<FlameTree> tree = builder.build(options);
  EXPECT_TRUE(tree.has_value()) << tree.error().message;
  return tree ? *tree : FlameTree();
}

// main calls work, into which `inlined` was inlined; libc.so.6 has no names.
StackProfile small_profile() {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  MappingId server = profile.add_mapping({text("/srv/bin/server"), {}, RuntimeAddr{0x1000}});
  MappingId libc = profile.add_mapping({text("/lib/libc.so.6"), {}, RuntimeAddr{0x9000}});
  FunctionId main = profile.add_function({text("main"), {}, text("main.cc"), 0});
  FunctionId work = profile.add_function({{}, text("_Z4workv"), text("work.cc"), 0});
  FunctionId inlined = profile.add_function({text("inlined"), {}, text("work.h"), 0});
  LocationId in_main = profile.add_location({server, RuntimeAddr{0x1010}}, {{main, 3, 0}});
  LocationId in_work =
      profile.add_location({server, RuntimeAddr{0x1020}}, {{inlined, 7, 0}, {work, 9, 0}});
  LocationId in_libc = profile.add_location({libc, RuntimeAddr{0x9010}}, {});
  LocationId also_in_libc = profile.add_location({libc, RuntimeAddr{0x9020}}, {});
  LocationId nowhere = profile.add_location({kNoMapping, RuntimeAddr{0x5}}, {});
  LabelsId none = profile.add_labels({}), red = profile.add_labels({{text("tenant"), text("red")}});
  StackId working = profile.add_stack({in_work, in_main});
  profile.add_sample({working, none}, {1, 30});
  profile.add_sample({working, red}, {2, 10});
  profile.add_sample({profile.add_stack({in_libc, in_work, in_main}), none}, {1, 7});
  profile.add_sample({profile.add_stack({also_in_libc, in_work, in_main}), none}, {1, 5});
  profile.add_sample({profile.add_stack({nowhere}), none}, {1, 2});
  profile.add_sample({profile.add_stack({in_main}), none}, {1, 0});
  return profile;
}

TEST(FlameTree, OfAProfile) {
  StackProfile profile = small_profile();
  FlameTreeBuilder builder(1);
  builder.add_profile(profile, 1, 0);
  Result<FlameTree> tree = builder.build({});
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(drawn(*tree),
            "all 54 0\n"
            "  [unknown] 2 2\n"
            "  main 52 0\n"
            "    _Z4workv 52 0\n"
            "      inlined 52 40\n"
            "        [libc.so.6] 12 12\n");
  EXPECT_EQ(table(*tree),
            "inlined 40 52\n[libc.so.6] 12 12\n[unknown] 2 2\n_Z4workv 0 52\nmain 0 52\n");
  EXPECT_EQ(tree->frames[tree->functions[0].frame], (FlameFrame{"inlined", "server", "work.h"}));
  EXPECT_EQ(tree->sides, std::vector<FlameSide>{(FlameSide{"", 54})});
  EXPECT_EQ(tree->stacks, 3u);
  EXPECT_EQ(tree->other(), FlameValues{});

  FlameTreeBuilder samples(1);
  samples.add_profile(profile, 0, 0);
  EXPECT_EQ(drawn(*samples.build({})),
            "all 7 0\n"
            "  [unknown] 1 1\n"
            "  main 6 1\n"
            "    _Z4workv 5 0\n"
            "      inlined 5 3\n"
            "        [libc.so.6] 2 2\n");
}

TEST(FlameTree, RecursionStaysAndCountsOnce) {
  FlameTree tree = tree_of({{{"f", "g", "f"}, 3}, {{"f"}, 1}, {{}, 2}});
  EXPECT_EQ(drawn(tree),
            "all 6 2\n"
            "  f 4 1\n"
            "    g 3 0\n"
            "      f 3 3\n");
  EXPECT_EQ(table(tree), "f 4 4\ng 0 3\n");
}

TEST(FlameTree, FramesOfTwoModulesAreTwo) {
  FlameTreeBuilder builder(1);
  uint32_t a = builder.add_frame({"init", "a.so", "z.cc"});
  EXPECT_EQ(builder.add_frame({"init", "a.so", "b.cc"}), a);
  EXPECT_EQ(builder.add_frame({"init", "a.so", ""}), a);
  uint32_t b = builder.add_frame({"init", "b.so", ""});
  EXPECT_NE(a, b);
  builder.add_stack({{a}}, 0, 1);
  builder.add_stack({{b}}, 0, 2);
  FlameTree tree = *builder.build({});
  EXPECT_EQ(drawn(tree), "all 3 0\n  init 1 1\n  init 2 2\n");
  EXPECT_EQ(tree.frames[tree.nodes[1].frame], (FlameFrame{"init", "a.so", "b.cc"}));
}

TEST(FlameTree, ComparesShares) {
  FlameTreeBuilder builder(2);
  StackProfile profile = small_profile();
  builder.add_profile(profile, 1, 0, {kFlameWhole, 54});
  builder.add_profile(profile, 0, 1, {kFlameWhole, 7});
  FlameOptions options;
  options.wholes = {kFlameWhole, kFlameWhole};  // each stack is rounded
  FlameTree tree = *builder.build(options);
  ASSERT_EQ(tree.sides.size(), 2u);
  EXPECT_EQ(tree.sides[0].whole, kFlameWhole);
  EXPECT_EQ(tree.sides[1].whole, kFlameWhole);
  EXPECT_EQ(tree.nodes[2].total, (FlameValues{962962962964, 857142857142}));
  EXPECT_NEAR(tree.share(tree.nodes[1].total), 1.0 / 7, 1e-11);
  EXPECT_TRUE(tree.is_comparison());
}

TEST(FlameTree, SmallFramesAreMerged) {
  Stacks stacks = {{{"main"}, 1},           {{"main", "big", "tiny"}, 2}, {{"main", "big"}, 90},
                   {{"main", "x", "y"}, 3}, {{"main", "z"}, 4},           {{"zoo"}, 100}};
  FlameOptions options;
  options.min_share = 0.03;
  FlameTree tree = tree_of(stacks, options);
  EXPECT_EQ(drawn(tree),
            "all 200 0\n"
            "  main 100 1\n"
            "    big 92 90\n"
            "      (other) 2 2\n"
            "    (other) 7 7\n"
            "  zoo 100 100\n");
  EXPECT_EQ(tree.omitted.small_stacks, 3u);
  EXPECT_EQ(tree.omitted.min_share, 0.03);
  EXPECT_EQ(tree.other(), (FlameValues{9, 0}));
  // The table has them all.
  EXPECT_EQ(table(tree), "zoo 100 100\nbig 90 92\nz 4 4\ny 3 3\ntiny 2 2\nmain 1 100\nx 0 3\n");
}

TEST(FlameTree, KeepsWhatIsLargeOnOneSide) {
  FlameTreeBuilder builder(2);
  add(builder, {{{"gone"}, 50}, {{"stays"}, 50}}, 0);
  add(builder, {{{"new"}, 100}, {{"stays"}, 900}}, 1);
  FlameOptions options;
  options.min_share = 0.1;
  EXPECT_EQ(drawn(*builder.build(options)),
            "all 100 0 | 1000 0\n"
            "  gone 50 50 | 0 0\n"
            "  new 0 0 | 100 100\n"
            "  stays 50 50 | 900 900\n");
}

TEST(FlameTree, IsBounded) {
  Stacks stacks;
  for (int i = 0; i < 1000; i++)
    stacks.push_back({{"f" + std::to_string(i % 10), "g" + std::to_string(i)}, 1 + i});
  FlameOptions options;
  options.max_nodes = 50;
  options.min_share = 0;
  options.max_functions = 7;
  FlameTree tree = tree_of(stacks, options);
  EXPECT_LE(tree.nodes.size(), 50u);
  EXPECT_GT(tree.nodes.size(), 10u);
  EXPECT_GT(tree.omitted.small_stacks, 900u);
  EXPECT_EQ(tree.nodes[0].total[0], 500500);
  EXPECT_EQ(tree.functions.size(), 7u);
  EXPECT_EQ(tree.omitted.functions, 1003u);
  int64_t self = 0;
  for (const FlameNode& node : tree.nodes) self += node.self[0];
  EXPECT_EQ(self, 500500);

  options.max_nodes = 0;
  EXPECT_EQ(drawn(tree_of(stacks, options)), "all 500500 0\n  (other) 500500 500500\n");
}

TEST(FlameTree, DeepStacksAreCut) {
  FlameOptions options;
  options.max_depth = 2;
  FlameTree tree = tree_of({{{"a", "b", "c", "d"}, 5}, {{"a", "b"}, 1}}, options);
  EXPECT_EQ(drawn(tree), "all 6 0\n  a 6 0\n    b 6 1\n      (other) 5 5\n");
  EXPECT_EQ(tree.omitted.deep_stacks, 1u);
  EXPECT_EQ(tree.omitted.max_depth, 2u);
  // However deep, it ends.
  FlameTreeBuilder builder(1);
  std::vector<uint32_t> deep(100'000, builder.add_frame({"f", {}, {}}));
  builder.add_stack(deep, 0, 1);
  options.max_depth = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(builder.build(options)->nodes.size(), 2'002u);
}

TEST(FlameTree, NegativeSumsAreLeftOut) {
  FlameTree tree = tree_of({{{"a"}, 5}, {{"b"}, -7}, {{"c"}, -2}, {{"c"}, 2}});
  EXPECT_EQ(drawn(tree), "all 5 0\n  a 5 5\n");
  EXPECT_EQ(tree.omitted.negative_stacks, 1u);
  EXPECT_EQ(tree.omitted.negative_sum, -7);
}

TEST(FlameTree, SharesOfAnotherWhole) {
  FlameOptions options;
  options.wholes[0] = 1000;  // only a part of the profile was chosen
  options.min_share = 0.01;
  FlameTree tree = tree_of({{{"a"}, 20}, {{"b"}, 9}}, options);
  EXPECT_EQ(drawn(tree), "all 29 0\n  a 20 20\n  (other) 9 9\n");
  EXPECT_EQ(tree.sides[0].whole, 1000);
}

TEST(FlameTree, ErrorsSayWhatIsMissing) {
  for (const Stacks& stacks : {Stacks{}, Stacks{{{"a"}, -1}}, Stacks{{{"a"}, 0}}}) {
    FlameTreeBuilder builder(1);
    add(builder, stacks);
    Result<FlameTree> tree = builder.build({});
    ASSERT_FALSE(tree.has_value());
    EXPECT_EQ(tree.error().kind, ErrorKind::kEmpty);
    EXPECT_EQ(tree.error().message, "flame graph: no stack has a value above 0");
  }
}

TEST(FlameTree, SumsStopAtTheLargestNumber) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(tree_of({{{"a"}, kMax}, {{"b"}, kMax}}).nodes[0].total[0], kMax);
}

// Neither the order of stacks nor that of profiles reaches the tree.
TEST(FlameTree, IsTheSameInAnyOrder) {
  Stacks stacks;
  for (int i = 0; i < 300; i++)
    stacks.push_back({{"f" + std::to_string(i % 7), "g" + std::to_string(i % 31), "same",
                       "h" + std::to_string(i)},
                      1 + i % 13});
  FlameOptions options;
  options.max_nodes = 100;
  FlameTree expected = tree_of(stacks, options);
  for (int round = 0; round < 5; round++) {
    std::rotate(stacks.begin(), stacks.begin() + 77, stacks.end());
    std::reverse(stacks.begin() + round, stacks.end());
    FlameTree tree = tree_of(stacks, options);
    EXPECT_EQ(tree.nodes, expected.nodes);
    EXPECT_EQ(tree.frames, expected.frames);
    EXPECT_EQ(tree.functions, expected.functions);
    EXPECT_EQ(tree.omitted, expected.omitted);
  }
}

// Each side in parts of its own whole; sums of frames stay sums of what ends in them.
TEST(FlameTree, BecomesShares) {
  FlameTreeBuilder builder(2);
  add(builder, {{{"main", "f"}, 1}, {{"main", "g"}, 2}}, 0);
  add(builder, {{{"main", "f"}, 30}, {{"main"}, 10}}, 1);
  FlameTree tree = builder.build({}).value();
  tree.to_shares();
  constexpr int64_t kThird = kFlameWhole / 3, kTwoThirds = kThird * 2 + 1;  // rounded
  EXPECT_TRUE(tree.in_shares);
  EXPECT_EQ(tree.sides[0].whole, kFlameWhole);
  std::map<std::string, const FlameNode*> nodes;
  for (const FlameNode& node : tree.nodes) nodes[tree.frames[node.frame].name] = &node;
  EXPECT_EQ(nodes["f"]->self, (FlameValues{kThird, kFlameWhole * 3 / 4}));
  EXPECT_EQ(nodes["g"]->self, (FlameValues{kTwoThirds, 0}));
  EXPECT_EQ(nodes["main"]->self, (FlameValues{0, kFlameWhole / 4}));
  EXPECT_EQ(nodes["main"]->total, (FlameValues{kFlameWhole, kFlameWhole}));
  EXPECT_EQ(tree.nodes[0].total, nodes["main"]->total);
}

// What a unit of work costs: 3 units before, half a unit after.
TEST(FlameTree, BecomesCostsOfOneUnit) {
  FlameTreeBuilder builder(2);
  add(builder, {{{"main", "f"}, 1}, {{"main", "g"}, 2}}, 0);
  add(builder, {{{"main", "f"}, 3}, {{"main"}, 1}}, 1);
  FlameTree tree = builder.build({}).value();
  ASSERT_TRUE(tree.to_costs_of_one({3, .5}, "unit of work"));
  EXPECT_FALSE(tree.in_shares);
  EXPECT_EQ(tree.per, "unit of work");
  EXPECT_EQ(tree.sides[1].whole, kFlameWhole);
  EXPECT_EQ(tree.sides[0].whole, kFlameWhole / 8);
  EXPECT_DOUBLE_EQ(tree.value_size * static_cast<double>(kFlameWhole), 8);
  std::map<std::string, const FlameNode*> nodes;
  for (const FlameNode& node : tree.nodes) nodes[tree.frames[node.frame].name] = &node;
  EXPECT_DOUBLE_EQ(static_cast<double>(nodes["f"]->self[1]) * tree.value_size, 6);
  EXPECT_NEAR(static_cast<double>(nodes["g"]->self[0]) * tree.value_size, 2.0 / 3, 1e-9);
  EXPECT_EQ(tree.nodes[0].total[1], kFlameWhole);
}

// With fewer than three digits, frames of one side would all be alike.
TEST(FlameTree, RefusesCostsThatAreNotOfOneScale) {
  FlameTreeBuilder builder(2);
  for (size_t side = 0; side < 2; side++)
    add(builder, {{{"main", "f"}, 1000}, {{"main", "g"}, 3000}}, side);
  FlameTree tree = builder.build({}).value();
  const FlameTree before = tree;
  Result<void> done = tree.to_costs_of_one({1, 1e10}, "unit of work");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message.substr(0, 55),
            "flame graph: one unit of work costs more than 10^9 time");
  EXPECT_EQ(tree.nodes, before.nodes);
  EXPECT_EQ(tree.sides, before.sides);
  ASSERT_TRUE(tree.to_costs_of_one({1, 1e8}, "unit of work"));
  EXPECT_EQ(tree.nodes[0].total, (FlameValues{kFlameWhole, kFlameWhole / 100'000'000}));
  EXPECT_EQ(tree.nodes[2].total, (FlameValues{kFlameWhole / 4, kFlameWhole / 400'000'000}));
}

TEST(FlameTree, JoinsFramesThatAreRenamedAlike) {
  FlameTreeBuilder builder(2);
  for (size_t side = 0; side < 2; side++) {
    uint32_t frame = builder.add_frame({"f", side == 0 ? "server" : "server.bolt", {}});
    builder.add_stack(std::vector<uint32_t>{frame}, side, 5);
  }
  builder.rename([](FlameFrame& frame) { frame.module = "server"; });
  FlameTree tree = builder.build({}).value();
  ASSERT_EQ(tree.nodes.size(), 2u);
  EXPECT_EQ(tree.nodes[1].total, (FlameValues{5, 5}));
  ASSERT_EQ(tree.functions.size(), 1u);
}

}  // namespace
}  // namespace pgo::flame_tree_test
