#include "pgo/diff/function_bodies.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pgo::function_bodies_test {
namespace {

const std::vector<std::string> kNames{"compare", "sort", "next", "main"};

struct Chain {
  std::vector<uint32_t> rows;  // the innermost first
  std::array<int64_t, 2> values;
};

FunctionBodies bodies_of(const std::vector<Chain>& chains) {
  ChainTable table;
  std::array<std::vector<verify::Member>, 2> members;
  for (size_t side = 0; side < 2; side++) {
    members[side].push_back({});
    for (const Chain& chain : chains) {
      if (chain.values[side] == 0) continue;
      members[side][0].weight += static_cast<double>(chain.values[side]);
      table.count(table.chain_of(chain.rows), chain.values[side], 1);
    }
    table.store(side, 0);
  }
  const std::vector<uint32_t> final_rows{0, 1, 2, 3};
  return table.finish(final_rows, final_rows.size(), members);
}

// "body: cost | cost" of both sides, with its parts and their shares.
std::string text_of(const FunctionBodies& bodies) {
  std::string text;
  auto whole = [](double value) { return std::to_string(static_cast<int>(value)); };
  auto percent = [&](double share) { return whole(share * 100 + .5) + "%"; };
  for (uint32_t row = 0; row < kNames.size(); row++) {
    auto cost = [&](size_t side) {
      double sum = 0;
      for (const verify::Cell& cell : bodies.cells[side][row]) sum += cell.value;
      return whole(sum);
    };
    if (bodies.cells[0][row].empty() && bodies.cells[1][row].empty()) continue;
    text += kNames[row] + ": " + cost(0) + " | " + cost(1) + ";";
    for (const BodyPart& part : bodies.parts)
      if (part.body == row)
        text += " " + kNames[part.row] + " " + percent(part.shares[0]) + " | " +
                percent(part.shares[1]);
    text += "\n";
  }
  return text;
}

// "next < main": which body one side inlines into which.
std::string links_of(const FunctionBodies& bodies) {
  std::string text;
  for (const BodyLink& link : bodies.links)
    text += kNames[link.inlined] + " < " + kNames[link.into] + "\n";
  return text;
}

enum : uint32_t { kCompare, kSort, kNext, kMain };

TEST(FunctionBodies, AreLinkedWhereOneSideInlinesOne) {
  EXPECT_EQ(links_of(bodies_of({{{kNext}, {30, 2}},
                                {{kCompare, kNext}, {10, 0}},
                                {{kNext, kMain}, {0, 30}},
                                {{kCompare, kNext, kMain}, {0, 10}},
                                {{kMain}, {60, 60}}})),
            "next < main\n");
  // Not what both sides inline, or neither, nor where little of it is.
  EXPECT_EQ(links_of(bodies_of({{{kNext, kMain}, {30, 30}}, {{kMain}, {60, 60}}})), "");
  EXPECT_EQ(
      links_of(bodies_of({{{kNext}, {30, 20}}, {{kNext, kMain}, {0, 10}}, {{kMain}, {60, 60}}})),
      "");
  EXPECT_EQ(links_of(bodies_of({{{kNext}, {100, 0}},
                                {{kNext, kMain}, {0, 91}},
                                {{kNext, kSort}, {0, 9}},
                                {{kSort}, {50, 50}},
                                {{kMain}, {60, 60}}})),
            "next < main\n");
  // Into the next one outwards, in either direction.
  EXPECT_EQ(links_of(bodies_of({{{kCompare, kNext, kMain}, {50, 0}},
                                {{kNext, kMain}, {30, 30}},
                                {{kCompare}, {0, 50}},
                                {{kNext}, {0, 1}},
                                {{kMain}, {60, 60}}})),
            "compare < main\n");
}

TEST(FunctionBodies, HaveWhatIsInlinedIntoThem) {
  EXPECT_EQ(text_of(bodies_of({{{kSort}, {60, 30}}, {{kCompare, kSort}, {20, 50}}})),
            "sort: 80 | 80; compare 100% | 100% sort 100% | 100%\n");
}

TEST(FunctionBodies, AreTheSameWhereOneSideInlinesThem) {
  EXPECT_EQ(text_of(bodies_of({{{kNext}, {30, 0}},
                               {{kCompare, kNext}, {10, 0}},
                               {{kNext, kMain}, {0, 30}},
                               {{kCompare, kNext, kMain}, {0, 10}},
                               {{kMain}, {60, 60}}})),
            "next: 40 | 40; compare 100% | 100% next 100% | 100%\n"
            "main: 60 | 60; main 100% | 100%\n");
}

TEST(FunctionBodies, DivideAFunctionThatIsInSeveral) {
  EXPECT_EQ(text_of(bodies_of({{{kCompare, kSort}, {30, 20}},
                               {{kSort}, {50, 50}},
                               {{kCompare, kMain}, {10, 20}},
                               {{kMain}, {10, 10}}})),
            "sort: 80 | 70; compare 75% | 50% sort 100% | 100%\n"
            "main: 20 | 30; compare 25% | 50% main 100% | 100%\n");
}

// A rare copy that is not inlined makes no body of its own.
TEST(FunctionBodies, AreNotOfRareCopies) {
  EXPECT_EQ(
      text_of(bodies_of({{{kCompare}, {2, 0}}, {{kCompare, kSort}, {8, 30}}, {{kSort}, {90, 70}}})),
      "compare: 2 | 0; compare 20% | 0%\n"
      "sort: 98 | 100; compare 80% | 100% sort 100% | 100%\n");
}

TEST(FunctionBodies, HaveACellForEachMember) {
  ChainTable table;
  std::array<std::vector<verify::Member>, 2> members;
  members[0] = {{.weight = 6, .scale = 2}, {.weight = 4, .scale = 1}};
  table.count(table.chain_of(std::vector<uint32_t>{0, 1}), 1, 1);
  table.count(table.chain_of(std::vector<uint32_t>{1}), 2, 1);
  table.store(0, 0);
  table.count(table.chain_of(std::vector<uint32_t>{1}), 4, 1);
  table.store(0, 1);
  const std::vector<uint32_t> final_rows{0, 1};
  const FunctionBodies bodies = table.finish(final_rows, 2, members);
  ASSERT_EQ(bodies.cells[0].size(), 2u);
  EXPECT_TRUE(bodies.cells[0][0].empty());
  ASSERT_EQ(bodies.cells[0][1].size(), 2u);
  EXPECT_EQ(bodies.cells[0][1][0].value, 6);  // scaled
  EXPECT_EQ(bodies.cells[0][1][0].member, 0u);
  EXPECT_EQ(bodies.cells[0][1][1].value, 4);
  EXPECT_EQ(bodies.cells[1].size(), 2u);
  EXPECT_TRUE(bodies.cells[1][1].empty());
}

}  // namespace
}  // namespace pgo::function_bodies_test
