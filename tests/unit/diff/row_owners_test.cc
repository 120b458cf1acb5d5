#include "pgo/diff/row_owners.h"

#include <gtest/gtest.h>

#include "pgo/diff/row_table.h"
#include "tests/data/small_stacks.h"

namespace pgo::row_owners_test {
namespace {

using test::small_stacks;

// The rows of a side, "name: flat cumulative of source".
std::string rows_of(const StackProfile& profile, RowOptions options) {
  RowTable table(std::move(options));
  SampleWeight weight = *SampleWeight::choose(profile, "", "p");
  std::vector<uint32_t> members(profile.labels.size(), table.add_member(0, {}));
  table.count(profile, weight, 0, members);
  table.add(profile, weight, 0, members);
  Rows rows = std::move(table).finish();
  std::string text;
  for (size_t row = 0; row < rows.keys.size(); row++) {
    auto sum = [&](const verify::Side& from) {
      double value = 0;
      for (const verify::Cell& cell : from.rows[row]) value += cell.value;
      return std::to_string(static_cast<int>(value));
    };
    text += rows.keys[row].name + ": " + sum(rows.flat[0]) + " " + sum(rows.cumulative[0]) +
            (rows.sources[row].empty() ? "" : " of " + rows.sources[row]) + "\n";
  }
  return text;
}

Owners small_owners() {
  Owners owners;
  EXPECT_TRUE(owners.add_path_pattern("/src/db/", "storage"));
  EXPECT_TRUE(owners.add_function_pattern("[libc.so.6]", "platform"));
  return owners;
}

StackProfile profile() {
  return small_stacks({{{{"get", "/b/src/db/get.cc"}, {"seek", "/b/src/db/seek.cc"}, {"main"}}, 5},
                       {{{"seek", "/b/src/db/seek.cc"}, {"main"}}, 3},
                       {{{"", "", "libc.so.6"}, {"main"}}, 2}});
}

TEST(RowOwners, RowsByFunctionHaveThePathsOfTheirSources) {
  EXPECT_EQ(rows_of(profile(), {}),
            "[libc.so.6]: 2 2\n"
            "get: 5 5 of /b/src/db/get.cc\n"
            "main: 0 10\n"
            "seek: 3 8 of /b/src/db/seek.cc\n");
}

// A stack counts once for a team, however many of its functions are in it.
TEST(RowOwners, AreRowsThemselves) {
  const Owners owners = small_owners();
  EXPECT_EQ(rows_of(profile(), {.by = RowsBy::kTeam, .owners = &owners}),
            "(no owner): 0 10\n"
            "platform: 2 2\n"
            "storage: 8 8\n");
}

TEST(RowOwners, OfRowsAreByNameAndSource) {
  const verify::RowComparison none{.estimate = {{}, {}}};
  const std::vector<DiffRow> rows{{{.name = "get"}, none, none, "/b/src/db/get.cc"},
                                  {{.name = "[libc.so.6]"}, none, none},
                                  {{.name = "main"}, none, none}};
  EXPECT_EQ(assign_owners(rows, small_owners()),
            (std::vector<std::string>{"storage", "platform", ""}));
}

}  // namespace
}  // namespace pgo::row_owners_test
