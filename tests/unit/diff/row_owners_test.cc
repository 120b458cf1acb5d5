#include "pgo/diff/row_owners.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/diff/diff.h"
#include "pgo/diff/row_table.h"
#include "pgo/report/diff_report.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

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
            "(no team): 0 10\n"
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

class TeamDifferenceTest : public test::TemporaryFiles {};

TEST_F(TeamDifferenceTest, AddsUpTeams) {
  DiffRequest two;
  two.sides = {{{write("a.folded", "main;get;seek 300\nmain;put 300\nmain 400\n")},
                {write("b.folded", "main;get;seek 100\nmain;put 100\nmain 800\n")}}};
  two.wants_graph = true;
  for (const char* pattern : {"get", "seek", "put"})
    ASSERT_TRUE(two.owners.add_function_pattern(pattern, "storage"));
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->teams.size(), 4u);
  const nlohmann::json json = nlohmann::json::parse(diff_json_text(diff_json(*result), *result));
  for (size_t i = 0; i < result->rows.size(); i++) {
    const std::string team = result->rows[i].key.name == "main" ? "" : "storage";
    EXPECT_EQ(result->teams[i], team);
    EXPECT_EQ(json["rows"][i]["team"], team);
  }
  for (const FlameFunction& function : result->graph->functions)
    EXPECT_EQ(function.team, result->graph->frames[function.frame].name == "main" ? "" : "storage");
  two.by = RowsBy::kTeam;
  result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->teams.empty());
  ASSERT_EQ(result->rows.size(), 2u);
  const bool is_first = result->rows[0].key.name == "storage";
  const DiffRow &storage = result->rows[is_first ? 0 : 1], &others = result->rows[is_first ? 1 : 0];
  EXPECT_EQ(storage.key.name, "storage");
  EXPECT_EQ(others.key.name, kNoOwner);
  EXPECT_DOUBLE_EQ(storage.flat.rate_a, .6);
  EXPECT_DOUBLE_EQ(storage.flat.rate_b, .2);
  EXPECT_DOUBLE_EQ(storage.cumulative.rate_b, .2);
  EXPECT_EQ(storage.flat.verdict, verify::Verdict::kOnlySamplingKnown);
  EXPECT_DOUBLE_EQ(others.flat.rate_b, .8);
  EXPECT_NE(diff_text(*result, {}).find("VERDICT  TEAM"), std::string::npos);
  two.owners = {};
  EXPECT_EQ(diff(two).error().message,
            "\xFF{by} team: no teams are known; add [owners] to pgo.toml "
            "(\xFF{docs/reference/config.md}), or name the file with \xFF{config}");
}

}  // namespace
}  // namespace pgo::row_owners_test
