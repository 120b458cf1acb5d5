#include "pgo/diff/row_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace pgo::row_table_test {
namespace {

struct Frame {
  const char* name;
  const char* file = "";
  const char* binary = "server";
};
// Leaf first; frames at one place are inlined into the last of them.
using Stack = std::vector<std::vector<Frame>>;

struct Sampled {
  Stack stack;
  int64_t count;
};

StackProfile profile(const std::vector<Sampled>& samples) {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}};
  uint64_t address = 0;
  for (const Sampled& sampled : samples) {
    std::vector<LocationId> stack;
    for (const std::vector<Frame>& place : sampled.stack) {
      std::vector<StackLine> lines;
      MappingId mapping = profile.add_mapping({.filename = text(place[0].binary)});
      for (const Frame& frame : place)
        lines.push_back({profile.add_function({.name = text(frame.name),
                                               .system_name = text(frame.name),
                                               .filename = text(frame.file)}),
                         1, 0});
      stack.push_back(profile.add_location({mapping, RuntimeAddr{++address}}, lines));
    }
    profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {sampled.count});
  }
  profile.normalize();
  return profile;
}

// "name [file, binary]: flat cumulative | flat cumulative" of both sides.
std::string rows_of(const std::vector<Sampled>& before, const std::vector<Sampled>& after,
                    RowOptions options = {}) {
  RowTable table(std::move(options));
  std::array<std::vector<Sampled>, 2> sides{before, after};
  for (size_t side = 0; side < 2; side++) {
    StackProfile its = profile(sides[side]);
    SampleWeight weight = *SampleWeight::choose(its, "", "p");
    std::vector<uint32_t> members(its.labels.size(), table.add_member(side, {}));
    table.count(its, weight, side, members);
    table.add(its, weight, side, members);
  }
  Rows rows = std::move(table).finish();
  std::string text;
  for (size_t row = 0; row < rows.keys.size(); row++) {
    const RowKey& key = rows.keys[row];
    text += key.name + " [" + key.file + ", " + key.binary + "]:";
    for (size_t side = 0; side < 2; side++) {
      auto sum = [&](const verify::Side& from) {
        double value = 0;
        for (const verify::Cell& cell : from.rows[row]) value += cell.value;
        return std::to_string(static_cast<int>(value));
      };
      text += (side == 0 ? " " : " | ") + sum(rows.flat[side]) + " " + sum(rows.cumulative[side]);
    }
    text += "\n";
  }
  return text;
}

TEST(RowTable, CountsALeafFlatAndAStackOnce) {
  EXPECT_EQ(rows_of({{{{{"f"}}, {{"f"}}, {{"main"}}}, 3}}, {{{{{"main"}}}, 2}}),
            "f [, server]: 3 3 | 0 0\n"
            "main [, server]: 0 3 | 2 2\n");
}

TEST(RowTable, GivesInlinedFunctionsTheirOwnTime) {
  // "hot" is inlined into f before, and into g after: nothing became slower.
  const std::vector<Sampled> before{{{{{"hot"}, {"f"}}, {{"main"}}}, 5}},
      after{{{{{"hot"}, {"g"}}, {{"main"}}}, 5}};
  EXPECT_EQ(rows_of(before, after),
            "f [, server]: 0 5 | 0 0\n"
            "g [, server]: 0 0 | 0 5\n"
            "hot [, server]: 5 5 | 5 5\n"
            "main [, server]: 0 5 | 0 5\n");
  EXPECT_EQ(rows_of(before, after, {.physical = true}),
            "f [, server]: 5 5 | 0 0\n"
            "g [, server]: 0 0 | 5 5\n"
            "main [, server]: 0 5 | 0 5\n");
}

TEST(RowTable, KnowsAFunctionByItsNameWithoutSuffixes) {
  EXPECT_EQ(rows_of({{{{{"_Z1fv.cold"}}}, 1}, {{{{"_Z1fv"}}}, 2}}, {{{{{"_Z1fv.llvm.12"}}}, 4}}),
            "f() [, server]: 3 3 | 4 4\n");
}

TEST(RowTable, KeepsFunctionsOfSeveralFilesAndBinariesApart) {
  EXPECT_EQ(rows_of({{{{{"init", "/a/x.c"}}}, 1},
                     {{{{"init", "/a/y.c"}}}, 2},
                     {{{{"init", "/a/x.c", "libx.so"}}}, 4}},
                    {{{{{"init", "/b/x.c"}}}, 8}}),
            "init [x.c, libx.so]: 4 4 | 0 0\n"
            "init [x.c, server]: 1 1 | 8 8\n"
            "init [y.c, server]: 2 2 | 0 0\n");
}

TEST(RowTable, JoinsRowsOfASideThatKnowsNoFiles) {
  EXPECT_EQ(rows_of({{{{{"f"}}}, 1}}, {{{{{"f", "x.c"}}}, 2}}), "f [x.c, server]: 1 1 | 2 2\n");
  // But not where either side has both.
  EXPECT_EQ(rows_of({{{{{"f"}}}, 1}, {{{{"f", "x.c"}}}, 4}}, {{{{{"f", "x.c"}}}, 2}}),
            "f [, server]: 1 1 | 0 0\n"
            "f [x.c, server]: 4 4 | 2 2\n");
}

TEST(RowTable, JoinsFunctionsOfARenamedFile) {
  EXPECT_EQ(rows_of({{{{{"f", "old.c"}}}, 1}}, {{{{{"f", "new.c"}}}, 2}}),
            "f [new.c, server]: 1 1 | 2 2\n");
  // A static function of each of two files is another one.
  EXPECT_EQ(rows_of({{{{{"f", "a.c"}}}, 1}, {{{{"f", "b.c"}}}, 4}}, {{{{{"f", "c.c"}}}, 2}}),
            "f [a.c, server]: 1 1 | 0 0\n"
            "f [b.c, server]: 4 4 | 0 0\n"
            "f [c.c, server]: 0 0 | 2 2\n");
}

TEST(RowTable, TakesFoldedNamesForOne) {
  EXPECT_EQ(
      rows_of({{{{{"_Z1fv"}}}, 1}}, {{{{{"_Z1gv"}}}, 2}}, {.folded_names = {{"_Z1gv", "_Z1fv"}}}),
      "f() [, server]: 1 1 | 2 2\n");
}

// Calls are of the function that the linker knows, and of one row in both builds.
TEST(RowTable, AddsCallsToRowsWithSamples) {
  auto calls_of = [](const std::vector<Sampled>& calls) {
    StackProfile its = profile(calls);
    its.sample_types.push_back(its.sample_types[0]);
    for (size_t i = 0; i < calls.size(); i++) {
      const int64_t rate = int64_t{1} << 39;
      its.values.insert(its.values.begin() + static_cast<std::ptrdiff_t>(2 * i + 1), rate);
    }
    return its;
  };
  RowTable table({});
  for (size_t side = 0; side < 2; side++) {
    const StackProfile its = profile({{{{{side == 0 ? "f" : "f.constprop.0"}}}, 1}});
    const SampleWeight weight = *SampleWeight::choose(its, "", "p");
    const std::vector<uint32_t> members(its.labels.size(), table.add_member(side, {}));
    table.count(its, weight, side, members);
    table.add(its, weight, side, members);
  }
  table.add_calls(calls_of({{{{{"inlined"}, {"f"}}}, 3}, {{{{"never_sampled"}}}, 9}}), 10, 0);
  table.add_calls(calls_of({{{{{"f"}}}, 4}}), 100, 0);
  table.add_calls(calls_of({{{{{"f.constprop.0"}}}, 5}}), 1000, 1);
  const Rows rows = std::move(table).finish();
  ASSERT_EQ(rows.keys.size(), 1u);
  ASSERT_EQ(rows.calls.size(), 1u);
  EXPECT_EQ(rows.calls[0][0].counted, 7u);
  EXPECT_EQ(rows.calls[0][0].estimated, 55);
  EXPECT_EQ(rows.calls[0][1].counted, 5u);
  EXPECT_EQ(rows.calls[0][1].estimated, 500);
}

// A body is found again under the names that its rows have in the end: of the program of the after
// side, and of a source that was renamed.
TEST(RowTable, AddsUpBodies) {
  RowTable table({.bodies = true});
  const std::array<std::vector<Sampled>, 2> sides{{
      {{{{{"hot", "a.cc", "old"}, {"f", "f.cc", "old"}}, {{"main", "m.cc", "old"}}}, 5}},
      {{{{{"hot", "b.cc", "new"}, {"f", "f.cc", "new"}, {"main", "m.cc", "new"}}}, 6}},
  }};
  for (size_t side = 0; side < 2; side++) {
    StackProfile its = profile(sides[side]);
    SampleWeight weight = *SampleWeight::choose(its, "", "p");
    std::vector<uint32_t> members(its.labels.size(), table.add_member(side, {}));
    table.add_program(side, side == 0 ? "old" : "new");
    table.count(its, weight, side, members);
    table.add(its, weight, side, members);
  }
  const Rows rows = std::move(table).finish();
  ASSERT_EQ(rows.keys.size(), 3u);
  EXPECT_EQ(rows.keys[0].name, "f");
  ASSERT_EQ(rows.bodies[0].rows[0].size(), 1u);
  EXPECT_EQ(rows.bodies[0].rows[0][0].value, 5);
  EXPECT_EQ(rows.bodies[1].rows[0][0].value, 6);
  EXPECT_TRUE(rows.bodies[1].rows[1].empty());
  ASSERT_EQ(rows.parts.size(), 1u);
  EXPECT_EQ(rows.keys[rows.parts[0].row].name, "hot");
  EXPECT_EQ(rows.parts[0].body, 0u);
}

TEST(RowTable, ComparesByOtherThingsThanFunctions) {
  const std::vector<Sampled> before{{{{{"f", "x.c"}}, {{"main", "m.c"}}}, 1}},
      after{{{{{"g", "x.c"}}, {{"main", "m.c"}}}, 2}};
  EXPECT_EQ(rows_of(before, after, {.by = RowsBy::kFile}),
            "m.c [, ]: 0 1 | 0 2\n"
            "x.c [, ]: 1 1 | 2 2\n");
  EXPECT_EQ(rows_of(before, after, {.by = RowsBy::kBinary}), "server [, ]: 1 1 | 2 2\n");
  EXPECT_EQ(rows_of(before, after, {.by = RowsBy::kLabel, .label = "tenant"}),
            "(none) [, ]: 1 1 | 2 2\n");
}

}  // namespace
}  // namespace pgo::row_table_test
