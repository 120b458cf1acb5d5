#include "pgo/diff/diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "converters/flame_graph/flame_svg.h"
#include "pgo/diff/folded_difference.h"
#include "pgo/report/diff_report.h"
#include "tests/unit/diff/diff_fixture.h"

namespace pgo::diff_output_test {
namespace {

class DiffOutputTest : public test::DiffFixture {};

// Agents that count time, too, beside folded stacks.
TEST_F(DiffOutputTest, WritesWhatAllProfilesCount) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{1}},
                                          {{profile.add_function({.name = text("f")}), 1, 0}});
  profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {3, 30});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  write("b.folded", "f 5\n");
  EXPECT_EQ(
      error_of(request({path("a.pb")}, {path("b.folded")})),
      "b.folded: counts samples/count, but a.pb counts cpu/nanoseconds; choose a type that both "
      "count with \xFF{sample-type}: samples/count");
  DiffRequest samples = request({path("a.pb")}, {path("b.folded")});
  samples.sample_type = "samples";
  samples.wants_merged = true;
  Result<DiffResult> result = diff(samples);
  ASSERT_TRUE(result) << result.error().message;
  Diagnostics diagnostics;
  EXPECT_EQ(*folded_difference(*result->merged, "samples/count", diagnostics), "f 3 5\n");
  EXPECT_EQ(result->diagnostics.entries().count("left-out-types"), 1u);
}

TEST_F(DiffOutputTest, DrawsBothSidesInShares) {
  DiffRequest two = request({write("a.folded", "main;f 600\nmain;g 400\n")},
                            {write("b.folded", "main;f 1500\nmain;g 500\n")});
  two.wants_graph = two.wants_merged = true;
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  const FlameTree& tree = *result->graph;
  EXPECT_TRUE(tree.in_shares);
  EXPECT_EQ(tree.nodes[0].total, (FlameValues{kFlameWhole, kFlameWhole}));
  for (const FlameFunction& function : tree.functions)
    if (tree.frames[function.frame].name == "f") {
      EXPECT_EQ(function.flat, (FlameValues{kFlameWhole * 6 / 10, kFlameWhole * 3 / 4}));
      EXPECT_EQ(function.flat_certainty.mark, FlameMark::kSamplingOnly);
    }
  EXPECT_TRUE(flame_svg(tree, diff_page(*result)));
  Diagnostics diagnostics;
  EXPECT_EQ(*folded_difference(*result->merged, "samples/count", diagnostics),
            "main;f 600 1500\nmain;g 400 500\n");
}

TEST_F(DiffOutputTest, IsReportedAsTextMarkdownAndJson) {
  DiffRequest two = request({write("a.folded", "main;f 600\nmain;g|h 400\n")},
                            {write("b.folded", "main;f 1500\nmain;g|h 500\n")});
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(relative(diff_text(*result, {.top = 1})),
            "  compared      samples/count, in shares of each side, by function\n"
            "  before        1 profile, 1 000 samples: a.folded\n"
            "  after         1 profile, 2 000 samples: b.folded\n"
            "\n"
            "   BEFORE    AFTER    CHANGE         95 % INTERVAL        Q        VERDICT  FUNCTION\n"
            "  60.00 %  75.00 %  +15.00 %  +11.38 % to +18.58 %  < 0.001  sampling only  f\n"
            "  ... and 1 further row\n");
  std::string markdown = diff_markdown(*result, {.top = 5});
  EXPECT_NE(markdown.find("| 40.00 % | 25.00 % | -15.00 % |"), std::string::npos);
  EXPECT_NE(markdown.find("| `g\\|h` |"), std::string::npos);
  nlohmann::json json = nlohmann::json::parse(diff_json_text(diff_json(*result), *result));
  ASSERT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["rows"][0]["name"], "f");
  EXPECT_DOUBLE_EQ(json["rows"][0]["flat"]["after"], .75);
  EXPECT_EQ(json["basis"], "sampling");
  EXPECT_EQ(diff_messages(*result)[0].text.substr(0, 22), "With one profile per s");
}

}  // namespace
}  // namespace pgo::diff_output_test
