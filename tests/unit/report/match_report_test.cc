#include "pgo/report/match_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/report/error_json.h"

namespace pgo::match_report_test {
namespace {

// The caller's words for options: "<top>".
std::string words(std::string text) {
  for (size_t at = text.find("\xFF{"); at != text.npos; at = text.find("\xFF{", at)) {
    text.replace(at, 2, "<");
    text[text.find('}', at)] = '>';
  }
  return text;
}

// 60 of 100 counts match, 4 of them without code.
MatchResult result() {
  MatchResult result;
  result.binary = "server";
  result.profile = "server.prof";
  result.profile_digest = "sha256:ab";
  result.min_match = 50;
  FunctionMatch divide{"_Z6dividei", "", {}}, fill{"fill", "fill.__uniq.1", {}},
      whole{"whole", "", {}};
  divide.weights.add(MatchOutcome::kMatched, 20);
  divide.weights.add(MatchOutcome::kNoLine, 30);
  fill.weights.add(MatchOutcome::kOtherName, 10);
  whole.weights.add(MatchOutcome::kMatched, 36);
  whole.weights.add(MatchOutcome::kOptimizedAway, 4);
  result.match.functions = {divide, fill, whole};
  for (const FunctionMatch& function : result.match.functions)
    for (size_t i = 0; i < kMatchOutcomeCount; i++)
      result.match.weights.add(static_cast<MatchOutcome>(i), function.weights.by_outcome[i]);
  return result;
}

TEST(MatchReport, AsText) {
  EXPECT_EQ(match_text(result(), 10, words),
            "server: how much of a profile matches it, by line\n"
            "  profile       server.prof\n"
            "                sha256:ab\n"
            "                (the binary has no note of the profile it was built with)\n"
            "  weight        100 counts in 3 functions, including inlined ones\n"
            "  match rate    60.0 % of the profile, including 4.0 % that was optimized away\n"
            "  unmatched     30.0 %  the function is there, but not the line:\n"
            "                  the source changed since it was profiled\n"
            "                10.0 %  static functions with other names in this build:\n"
            "                  build both with one compiler; clang's with "
            "-funique-internal-linkage-names and a prefix map, as <profilable> does\n"
            "\n"
            "  UNMATCHED  OF ALL  OF FUNCTION  MAIN REASON       FUNCTION\n"
            "         30  30.0 %       60.0 %  function changed  divide(int)\n"
            "         10  10.0 %      100.0 %  other name        fill\n");
}

TEST(MatchReport, AsTextOfSeveralBinariesWithANote) {
  MatchResult several = result();
  several.of_several = true;
  several.left_out = 300;
  several.basis = MatchBasis::kProbe;
  several.note.emplace();
  several.note->is_readable = true;
  several.note->name = "nightly";
  several.note->profile = "sha256:cd";
  several.note->tool = "ProdPGO 0.1.0";
  std::string text = match_text(several, 0, words);
  EXPECT_NE(text.find("server: how much of a profile matches it, by checksums of functions\n"),
            text.npos);
  EXPECT_NE(
      text.find("not the one that the binary was built with: nightly, applied by ProdPGO 0.1.0\n"),
      text.npos);
  EXPECT_NE(text.find("  left out      75.0 % of the profile is for functions that this one does "
                      "not have (<several>)\n"),
            text.npos);
  EXPECT_EQ(text.find("FUNCTION"), text.npos);
}

TEST(MatchReport, AsJson) {
  nlohmann::json json = match_json(result(), 1);
  EXPECT_EQ(json["format"], "match");
  EXPECT_EQ(json["by"], "line");
  EXPECT_EQ(json["match_rate"], 0.6);
  EXPECT_EQ(json["min_match"], 0.5) << "a share, as the rate";
  EXPECT_EQ(json["weight"]["matched"], 56);
  EXPECT_EQ(json["weight"]["optimized_away"], 4);
  EXPECT_EQ(json["weight"]["no_line"], 30);
  EXPECT_EQ(json["compiler"], nullptr);
  EXPECT_EQ(json["note"], nullptr);
  EXPECT_EQ(json["is_noted_profile"], nullptr);
  EXPECT_EQ(json["functions"], nlohmann::json::array({{{"function", "_Z6dividei"},
                                                       {"weight", 50},
                                                       {"unmatched", 30},
                                                       {"reason", "no_line"}}}));
  json = match_json(result(), 10);
  ASSERT_EQ(json["functions"].size(), 2u);
  EXPECT_EQ(json["functions"][1]["other_name"], "fill.__uniq.1");
}

// A profile of several binaries without a count for this one.
TEST(MatchReport, HasNoRateWithoutCounts) {
  MatchResult nothing = result();
  nothing.of_several = true;
  nothing.left_out = 100;
  nothing.match = {};
  EXPECT_EQ(match_json(nothing, 10)["match_rate"], nullptr);
  EXPECT_EQ(match_text(nothing, 10, words),
            "server: how much of a profile matches it, by line\n"
            "  profile       server.prof\n"
            "                sha256:ab\n"
            "                (the binary has no note of the profile it was built with)\n"
            "  left out      100.0 % of the profile is for functions that this one does not have "
            "(<several>)\n"
            "  match rate    none: the profile has no counts for functions of this one\n");
}

TEST(MatchReport, OneLineForBuilds) {
  EXPECT_EQ(low_match_line(result()),
            "server: only 60.0 % of the profile server.prof matches it. Most of the rest: the "
            "function is there, but not the line (the source changed since it was profiled). "
            "Functions with the most unmatched counts: divide(int), fill");
  EXPECT_EQ(low_match_line(MatchResult{}), "");
  MatchResult nothing = result();
  nothing.match.weights = {};
  nothing.match.functions = {FunctionMatch{"f", "", {}}};
  nothing.match.functions[0].weights.add(MatchOutcome::kNoLine, 30);
  nothing.match.weights.add(MatchOutcome::kNoLine, 30);
  EXPECT_EQ(low_match_line(nothing),
            "server: no part of the profile server.prof matches it: was another program recorded? "
            "Most of it: the function is there, but not the line (the source changed since it was "
            "profiled). Functions with the most unmatched counts: f");
}

// Nearly all of a server's profile is of its library.
TEST(MatchReport, AsksForSeveralBinariesWhereMuchIsOfOtherFunctions) {
  MatchResult part = result();
  part.match.weights.add(MatchOutcome::kNoFunction, 400);
  auto advice = [](const std::string& several) {
    return "renamed, removed, optimized away, or of another program; if the profile is of several "
           "binaries, " +
           several + " leaves these out";
  };
  EXPECT_EQ(low_match_line(part),
            "server: only 12.0 % of the profile server.prof matches it. Most of the rest: the "
            "function is not in this build (" +
                advice("\xFF{several}") +
                "). Functions with the most unmatched counts: divide(int), fill");
  EXPECT_NE(match_text(part, 0, words).find("\n                  " + advice("<several>") + "\n"),
            std::string::npos)
      << match_text(part, 0, words);
  part.of_several = true;
  EXPECT_EQ(low_match_line(part).find("\xFF{several}"), std::string::npos);
  // Little of it, or all: of another program.
  MatchResult little = result();
  little.match.weights.add(MatchOutcome::kNoFunction, 20);
  EXPECT_EQ(match_text(little, 0, words).find("<several>"), std::string::npos);
  MatchResult other = result();
  other.match.weights = {};
  other.match.weights.add(MatchOutcome::kNoFunction, 100);
  EXPECT_EQ(low_match_line(other).find("\xFF{several}"), std::string::npos);
}

TEST(MatchReport, AsksForSeveralBinariesAboveAQuarterOnly) {
  auto asks = [](uint64_t of_other_functions) {
    MatchResult part = result();
    part.match.weights = {};
    part.match.weights.add(MatchOutcome::kMatched, 10'000 - of_other_functions);
    part.match.weights.add(MatchOutcome::kNoFunction, of_other_functions);
    return match_text(part, 0, words).find("<several>") != std::string::npos;
  };
  EXPECT_FALSE(asks(2'499));
  EXPECT_FALSE(asks(2'500));
  EXPECT_TRUE(asks(2'501));
}

TEST(MatchReport, NamesOtherSourcePathsAsTheCause) {
  MatchResult moved = result();
  moved.match.weights = {};
  moved.match.weights.add(MatchOutcome::kMatched, 60);
  moved.match.weights.add(MatchOutcome::kOtherPath, 40);
  EXPECT_EQ(
      low_match_line(moved),
      "server: only 60.0 % of the profile server.prof matches it. Most of the rest: static "
      "functions whose names were derived from other source paths (the profile was made from a "
      "build with other source paths; \xFF{profilable} maps the directory of a project to "
      "its name). Functions with the most unmatched counts: divide(int), fill");
  EXPECT_EQ(match_json(moved, 0)["weight"]["other_path"], 40);
}

TEST(ErrorJson, HasKindMessageAndAdvice) {
  EXPECT_EQ(error_json({ErrorKind::kUsage, "server: has no note", "name one"}).dump(),
            R"({"error":{"advice":"name one","kind":"usage","message":"server: has no note"}})");
}

}  // namespace
}  // namespace pgo::match_report_test
