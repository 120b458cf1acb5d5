#include "pgo/diff/source_listing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/diff/diff.h"
#include "pgo/report/diff_report.h"

namespace pgo::source_listing_test {
namespace {

struct Sampled {
  const char* function;
  const char* file;
  int64_t line;
  int64_t count;
  int64_t start = 0;  // where the function starts; 0: not known
};

class SourceListingTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(directory_.file(name), std::ios::binary) << contents;
    return directory_.file(name);
  }

  std::string write_profile(const std::string& name, const std::vector<Sampled>& samples) const {
    StackProfile profile;
    auto text = [&](const char* word) { return profile.strings.add(word); };
    profile.sample_types = {{text("samples"), text("count")}};
    uint64_t address = 0;
    for (const Sampled& sampled : samples) {
      FunctionId function = profile.add_function({.name = text(sampled.function),
                                                  .system_name = text(sampled.function),
                                                  .filename = text(sampled.file),
                                                  .start_line = sampled.start});
      LocationId place =
          profile.add_location({kNoMapping, RuntimeAddr{++address}}, {{function, sampled.line, 0}});
      profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {sampled.count});
    }
    profile.normalize();
    return write(name, write_pprof(profile));
  }

  DiffRequest request(const std::string& functions) const {
    DiffRequest request;
    request.sides = {{{write_profile("a.pb", {{"scan", "/build/engine.cc", 4, 600},
                                              {"scan", "/build/engine.cc", 12, 300},
                                              {"main", "/build/main.cc", 1, 100}})},
                      {write_profile("b.pb", {{"scan", "/build/engine.cc", 4, 200},
                                              {"scan", "/build/engine.cc", 5, 700},
                                              {"main", "/build/main.cc", 1, 100}})}}};
    request.by = RowsBy::kLine;
    request.listing = {functions, {directory_.path()}};
    return request;
  }

  // "4: 0.60 0.20 | text", or "3: | text" for lines without costs.
  static std::vector<std::string> lines_of_listing(const DiffResult& result, size_t listing) {
    std::vector<std::string> lines;
    for (const ListedLine& line : result.listings[listing].lines) {
      char figures[64] = "";
      if (line.row)
        std::snprintf(figures, sizeof figures, " %.2f %.2f", result.rows[*line.row].flat.rate_a,
                      result.rows[*line.row].flat.rate_b);
      lines.push_back(std::to_string(line.number) + ":" + figures + " | " + line.source);
    }
    return lines;
  }

  TemporaryDirectory directory_ = *TemporaryDirectory::make();
};

TEST_F(SourceListingTest, ShowsLinesWithCostsAndTheLinesAround) {
  std::string source;
  for (int line = 1; line <= 13; line++) source += "line " + std::to_string(line) + "\n";
  write("engine.cc", source);
  Result<DiffResult> result = diff(request("^scan$"));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->listings.size(), 1u);
  EXPECT_EQ(result->listings[0].function.name, "scan");
  EXPECT_EQ(result->listings[0].path, "/build/engine.cc");
  EXPECT_EQ(lines_of_listing(*result, 0),
            (std::vector<std::string>{
                "1: | line 1", "2: | line 2", "3: | line 3", "4: 0.60 0.20 | line 4",
                "5: 0.00 0.70 | line 5", "6: | line 6", "7: | line 7", "8: | line 8", "9: | line 9",
                "10: | line 10", "11: | line 11", "12: 0.30 0.00 | line 12", "13: | line 13"}));
  EXPECT_EQ(result->rows.size(), 3u);  // those of the listing
}

TEST_F(SourceListingTest, LeavesGapsBetweenLinesFarApart) {
  std::string source;
  for (int line = 1; line <= 40; line++) source += "line " + std::to_string(line) + "\n";
  write("engine.cc", source);
  DiffRequest far = request("scan");
  far.sides[1] = {write_profile("b.pb", {{"scan", "/build/engine.cc", 30, 700}})};
  Result<DiffResult> result = diff(far);
  ASSERT_TRUE(result) << result.error().message;
  std::string numbers;
  for (const ListedLine& line : result->listings[0].lines)
    numbers += std::to_string(line.number) + " ";
  EXPECT_EQ(numbers, "1 2 3 4 5 6 7 9 10 11 12 13 14 15 27 28 29 30 31 32 33 ");
}

TEST_F(SourceListingTest, HasOnlyCostsWithoutTheSource) {
  Result<DiffResult> result = diff(request("."));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->listings.size(), 2u);  // the one whose line changed most first
  EXPECT_EQ(lines_of_listing(*result, 0),
            (std::vector<std::string>{"4: 0.60 0.20 | ", "5: 0.00 0.70 | ", "12: 0.30 0.00 | "}));
  EXPECT_EQ(lines_of_listing(*result, 1), (std::vector<std::string>{"1: 0.10 0.10 | "}));
}

TEST_F(SourceListingTest, IsATextATableAndJson) {
  write("engine.cc", "\n\n\n  sum += `row`;\n");
  DiffRequest one = request("scan");
  one.sides = {{{write_profile("a.pb", {{"scan", "/build/engine.cc", 4, 1000}})},
                {write_profile("b.pb", {{"scan", "/build/engine.cc", 4, 1000}})}}};
  Result<DiffResult> result = diff(one);
  ASSERT_TRUE(result) << result.error().message;
  const std::string text = diff_text(*result, {});
  EXPECT_NE(text.find("scan\n  source        /build/engine.cc, of the after side\n"
                      "  lines         by number; where the function starts is not known on both "
                      "sides\n"
                      "  flat          100.00 % before, 100.00 % after: 0.00 %\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  100.00 %  100.00 %  0.00 %    noise     4    sum += `row`;\n"),
            std::string::npos)
      << text;
  const std::string markdown = diff_markdown(*result, {});
  EXPECT_NE(markdown.find("\n      100.00 %  100.00 %"), std::string::npos) << markdown;
  nlohmann::json json = nlohmann::json::parse(diff_json_text(diff_json(*result), *result));
  EXPECT_EQ(json["listings"][0]["function"], "scan");
  EXPECT_EQ(json["listings"][0]["lines"][3]["source"], "  sum += `row`;");
  EXPECT_EQ(json["listings"][0]["source_of"], "after");
  EXPECT_TRUE(json["listings"][0]["start_before"].is_null());
  EXPECT_EQ(json["rows"][json["listings"][0]["lines"][3]["row"].get<size_t>()]["line"], 4);
}

// Ten lines were added above scan() and main(), and one in scan(), below its line 13. The line 14
// of each side is another one.
TEST_F(SourceListingTest, MatchesLinesByTheStartOfTheFunction) {
  write("engine.cc", "");
  DiffRequest moved = request("scan");
  moved.sides = {{{write_profile("a.pb", {{"scan", "/a/engine.cc", 3, 300, 2},
                                          {"scan", "/a/engine.cc", 4, 200, 2},
                                          {"scan", "/a/engine.cc", 14, 500, 2}})},
                  {write_profile("b.pb", {{"scan", "/b/engine.cc", 13, 300, 12},
                                          {"scan", "/b/engine.cc", 14, 200, 12},
                                          {"scan", "/b/engine.cc", 25, 500, 12}})}}};
  Result<DiffResult> result = diff(moved);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(lines_of_listing(*result, 0),
            (std::vector<std::string>{"13: 0.30 0.30 | ", "14: 0.20 0.20 | ", "24: 0.50 0.00 | ",
                                      "25: 0.00 0.50 | "}));
  EXPECT_EQ(result->listings[0].path, "/b/engine.cc");
  EXPECT_FALSE(result->diagnostics.entries().contains("lines-by-number"));
  EXPECT_NE(diff_text(*result, {})
                .find("  source        /b/engine.cc, of the after side\n"
                      "  lines         numbers of the after side, where the function starts at "
                      "line 12 (before: 2)\n"),
            std::string::npos);
  const nlohmann::json json = diff_json(*result);
  EXPECT_EQ(json["listings"][0]["start_before"], 2);
  EXPECT_EQ(json["listings"][0]["start_after"], 12);
}

// What is not known, or not the same in all profiles of a side, moves nothing.
TEST_F(SourceListingTest, MatchesLinesByNumberWhereStartsAreNotKnown) {
  DiffRequest moved = request("scan");
  const std::string after = write_profile("b.pb", {{"scan", "/b/engine.cc", 13, 300, 12}});
  for (const std::vector<Sampled>& before :
       {std::vector<Sampled>{{"scan", "/a/engine.cc", 3, 300}},
        std::vector<Sampled>{{"scan", "/a/engine.cc", 3, 300, 2},
                             {"scan", "/a/engine.cc", 3, 300, 1}}}) {
    moved.sides = {{{write_profile("a.pb", before)}, {after}}};
    Result<DiffResult> result = diff(moved);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(lines_of_listing(*result, 0),
              (std::vector<std::string>{"3: 1.00 0.00 | ", "13: 0.00 1.00 | "}));
    auto warnings = result->diagnostics.entries().find("lines-by-number");
    ASSERT_NE(warnings, result->diagnostics.entries().end());
    EXPECT_EQ(warnings->second.messages[0],
              "scan: its lines are compared by number, because not all profiles contain its first "
              "line; lines that moved seem changed");
  }
}

TEST_F(SourceListingTest, ShowsTheSourceOfTheSideThatHasTheFunction) {
  DiffRequest gone = request("scan");
  gone.sides = {{{write_profile("a.pb", {{"scan", "/a/engine.cc", 3, 300, 2}})},
                 {write_profile("b.pb", {{"main", "/b/main.cc", 13, 300, 12}})}}};
  Result<DiffResult> result = diff(gone);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NE(diff_text(*result, {})
                .find("scan\n  source        /a/engine.cc, of the before side\n"
                      "  flat  "),
            std::string::npos);
}

// Of a function that moved from line 100 to 2: the line 102 is 4, but 50 is no line any more. Line
// 50 after is another one.
TEST_F(SourceListingTest, GivesLinesFarAboveTheStartNoNumber) {
  DiffRequest moved = request("scan");
  moved.sides = {{{write_profile("a.pb", {{"scan", "/a/engine.cc", 50, 300, 100},
                                          {"scan", "/a/engine.cc", 102, 700, 100}})},
                  {write_profile("b.pb", {{"scan", "/a/engine.cc", 50, 400, 2},
                                          {"scan", "/a/engine.cc", 4, 600, 2}})}}};
  Result<DiffResult> result = diff(moved);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(lines_of_listing(*result, 0),
            (std::vector<std::string>{"0: 0.30 0.00 | ", "4: 0.70 0.60 | ", "50: 0.00 0.40 | "}));
}

TEST_F(SourceListingTest, TakesHugeAndNegativeLineNumbersForNone) {
  DiffRequest hostile = request("scan");
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  hostile.sides[1] = {write_profile("b.pb", {{"scan", "/build/engine.cc", kMost, 1000},
                                             {"scan", "/build/engine.cc", kMaxLine, 1000},
                                             {"scan", "/build/engine.cc", -kMost, 2000}})};
  Result<DiffResult> result = diff(hostile);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(lines_of_listing(*result, 0),
            (std::vector<std::string>{"0: 0.00 1.00 | ", "4: 0.60 0.00 | ", "12: 0.30 0.00 | "}));
  EXPECT_NE(diff_text(*result, {}).find(" ?"), std::string::npos);
  hostile.listing = {};
  result = diff(hostile);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->rows.size(), 4u);
  EXPECT_NE(diff_text(*result, {}).find("scan engine.cc:?"), std::string::npos);
}

// As the table shows it: brackets are not of a regular expression.
TEST_F(SourceListingTest, TakesTheWholeNameOfAFunction) {
  DiffRequest one = request("scan(Table const&)");
  for (auto& side : one.sides)
    side = {write_profile("t.pb", {{"scan(Table const&)", "/build/engine.cc", 4, 1000}})};
  Result<DiffResult> result = diff(one);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->listings.size(), 1u);
}

TEST_F(SourceListingTest, SaysWhatItCannotList) {
  DiffRequest nowhere = request("scan");
  nowhere.listing.source_roots = {directory_.file("none")};
  EXPECT_EQ(diff(nowhere).error().message,
            "\xFF{source-root} " + directory_.file("none") + ": is not a directory");
  Result<DiffResult> result = diff(request("parse"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kEmpty);
  EXPECT_EQ(result.error().message, "\xFF{list} parse: no function with samples matches");
  EXPECT_EQ(diff(request("(")).error().kind, ErrorKind::kUsage);
  DiffRequest by_function = request("scan");
  by_function.by = RowsBy::kFunction;
  EXPECT_EQ(diff(by_function).error().message, "\xFF{list} compares lines; leave out \xFF{by}");
}

}  // namespace
}  // namespace pgo::source_listing_test
