#include "pgo/report/refresh_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::refresh_report_test {
namespace {

RefreshResult refreshed(RefreshOutcome outcome) {
  RefreshResult result;
  result.name = "queryd";
  result.lock = "pgo.lock";
  result.outcome = outcome;
  result.digest = "sha256:aa";
  return result;
}

std::string first_line(const RefreshResult& result) {
  const std::string text = refresh_text(result);
  return text.substr(0, text.find('\n'));
}

TEST(RefreshReport, BeginsWithTheOutcome) {
  RefreshResult result = refreshed(RefreshOutcome::kPinned);
  EXPECT_EQ(first_line(result), "queryd: pinned to sha256:aa");
  result.before.emplace().manifest = "sha256:bb";
  EXPECT_EQ(first_line(result), "queryd: pinned to sha256:aa (was sha256:bb)");
  EXPECT_EQ(first_line(refreshed(RefreshOutcome::kWouldPin)),
            "queryd: would be pinned; this is a dry run, so nothing was pushed or pinned");
  EXPECT_EQ(refresh_text(refreshed(RefreshOutcome::kNothingNew)),
            "queryd: nothing new: the profiles and builds are those of sha256:aa\n");
  EXPECT_EQ(refresh_text(refreshed(RefreshOutcome::kTakenBack)),
            "queryd: nothing is pinned: the profiles and builds are those of sha256:aa, which was "
            "pinned and taken back\n");
  EXPECT_EQ(first_line(refreshed(RefreshOutcome::kPushedAgain)),
            "queryd: pushed sha256:aa again, because the registry had lost it; it stays pinned");
  result = refreshed(RefreshOutcome::kUnchanged);
  result.figures.overlap = .981;
  result.unchanged_above = .976;
  EXPECT_EQ(first_line(result),
            "queryd: no change needed: the new profile overlaps by 98.1 % with the pinned one "
            "(limit: 97.6 %); nothing is pinned");
}

TEST(RefreshReport, IsCutWhereAForgeTakesNoMore) {
  const std::string end =
      "\nThis text is cut here, because forges limit its size. In the branch of this request, `pgo "
      "lock diff HEAD~ HEAD \xFF{pull}` shows all that changes.\n";
  std::vector<RefreshResult> results;
  while (results.size() < 10) results.push_back(refreshed(RefreshOutcome::kPinned));
  const std::string few = refresh_markdown(results, {});
  EXPECT_EQ(few.find(end), few.npos);
  for (RefreshResult& result : results) result.name = std::string(7000, 'q');
  const std::string text = refresh_markdown(results, {});
  EXPECT_LE(text.size(), kMaxRequestText);
  EXPECT_GT(text.size(), kMaxRequestText - 8000);
  ASSERT_TRUE(text.ends_with(end));
  EXPECT_EQ(text[text.size() - end.size() - 1], '\n');
}

TEST(RefreshReport, HasGatesWithReasons) {
  RefreshResult result = refreshed(RefreshOutcome::kRefused);
  result.gates = {{"min-hosts", "2", "at least 3", GateVerdict::kFailed, "too few"},
                  {"min-match", "-", "at least 80.0 %", GateVerdict::kNotChecked, "no build"},
                  {"min-quality", "good", "at least fair", GateVerdict::kPassed, ""}};
  EXPECT_EQ(refresh_text(result),
            "queryd: refused: 1 gate failed; nothing is pinned\n"
            "  profiles        0 profiles of 0 hosts, 0 samples\n"
            "\n"
            "  GATE         FOUND  WANTED           VERDICT\n"
            "  min-hosts    2      at least 3       FAILED\n"
            "  min-match    -      at least 80.0 %  not checked\n"
            "  min-quality  good   at least fair    ok\n"
            "  min-hosts failed: too few\n"
            "  min-match was not checked: no build\n");
  const nlohmann::json json = refresh_json(result);
  EXPECT_EQ(json["outcome"], "refused");
  EXPECT_EQ(json["gates"][0], (nlohmann::json{{"name", "min-hosts"},
                                              {"found", "2"},
                                              {"wanted", "at least 3"},
                                              {"verdict", "failed"},
                                              {"reason", "too few"}}));
  EXPECT_EQ(json["gates"][2]["verdict"], "passed");
}

TEST(RefreshReport, HasBuildsWithTheirShares) {
  RefreshResult result = refreshed(RefreshOutcome::kWouldPin);
  result.builds.builds = {
      {{.id = *BuildId::from_hex("aaaaaaaa"), .executable = "x"}, .4, true, 1, "/opt/q/queryd"},
      {{.id = *BuildId::from_hex("bbbbbbbb"), .executable = "x"}, .1, false, 0, "/opt/q/liba.so"}};
  result.builds.missing = {
      {.id = "cccccccc", .share = .3, .path = "/opt/q/libb.so"},
      {.id = "dddddddd", .share = .2, .is_of_system = true, .path = "/lib/c.so"},
      {.id = "eeeeeeee", .share = .001, .path = "/opt/q/libe.so"}};
  const std::string text = refresh_text(result);
  EXPECT_NE(text.find("  builds          aaaaaaaa, 40.0 % of the samples\n"
                      "                  bbbbbbbb, 10.0 % of the samples, a library (liba.so)\n"
                      "                  cccccccc, 30.0 % of the samples, not archived (libb.so)\n"
                      "                  dddddddd, 20.0 % of the samples, of the system (c.so)\n"),
            text.npos)
      << text;
  EXPECT_EQ(text.find("eeeeeeee"), text.npos);
  const nlohmann::json builds = refresh_json(result)["builds"];
  ASSERT_EQ(builds.size(), 4u);
  EXPECT_EQ(builds[2], (nlohmann::json{{"id", "cccccccc"},
                                       {"path", "/opt/q/libb.so"},
                                       {"program", false},
                                       {"share", .3},
                                       {"archived", false},
                                       {"of_system", false},
                                       {"bolted", false}}));
}

TEST(RefreshReport, HasTheRecordedBuild) {
  RefreshResult result = refreshed(RefreshOutcome::kPinned);
  EXPECT_FALSE(refresh_json(result).contains("recorded_build"));
  result.bolt = {{.build = "aabb",
                  .prebolt = RecordedBuild{
                      .path = "/run/files/queryd.prebolt", .size = 2'345'678, .obstacle = ""}}};
  EXPECT_EQ(refresh_text(result),
            "queryd: pinned to sha256:aa\n"
            "  profiles        0 profiles of 0 hosts, 0 samples\n"
            "  BOLT profile    of aabb\n"
            "  recorded build  queryd.prebolt, 2.3 MB\n");
  EXPECT_EQ(refresh_json(result)["recorded_build"],
            (nlohmann::json{{"file", "queryd.prebolt"}, {"size", 2'345'678}}));
  EXPECT_NE(refresh_markdown({result}, {}).find("\n- recorded build: queryd.prebolt, 2.3 MB\n"),
            std::string::npos);
}

TEST(RefreshReport, NamesBoltProfilesThatArePinnedNoMore) {
  RefreshResult result = refreshed(RefreshOutcome::kPinned);
  MissingBoltProfile& gone = result.missing_bolt.emplace_back();
  gone.library = "libq.so";
  gone.reason = "it is stripped";
  gone.was_pinned = true;
  result.missing_bolt.emplace_back().library = "libnever.so";
  EXPECT_NE(
      refresh_text(result).find("  BOLT profile    no longer pinned for libq.so: it is stripped\n"),
      std::string::npos)
      << refresh_text(result);
  const std::string markdown = refresh_markdown({result}, {});
  EXPECT_NE(markdown.find("\n- BOLT profile: no longer pinned for libq.so: it is stripped\n"),
            std::string::npos)
      << markdown;
  EXPECT_EQ(markdown.find("libnever.so"), std::string::npos);
}

TEST(RefreshReport, NamesTheLibrariesOfBoltProfiles) {
  RefreshResult result = refreshed(RefreshOutcome::kPinned);
  result.bolt = {{.build = "aabb"},
                 {.library = "libq.so",
                  .build = "ccdd",
                  .prebolt = RecordedBuild{
                      .path = "/run/files/queryd.libq.so.prebolt", .size = 1000, .obstacle = ""}}};
  EXPECT_EQ(refresh_text(result),
            "queryd: pinned to sha256:aa\n"
            "  profiles        0 profiles of 0 hosts, 0 samples\n"
            "  BOLT profile    of aabb\n"
            "  BOLT profile    of ccdd (libq.so)\n"
            "  recorded build  queryd.libq.so.prebolt, 1.0 kB\n");
  const nlohmann::json json = refresh_json(result);
  EXPECT_EQ(json["bolt_build"], "aabb");
  EXPECT_FALSE(json.contains("recorded_build"));
  EXPECT_EQ(
      json["bolt_libraries"],
      (nlohmann::json{{{"library", "libq.so"},
                       {"bolt_build", "ccdd"},
                       {"recorded_build", {{"file", "queryd.libq.so.prebolt"}, {"size", 1000}}}}}));
}

TEST(RefreshReport, SummaryIsOfWhatWasPinned) {
  RefreshResult pinned = refreshed(RefreshOutcome::kPinned);
  pinned.gates = {{"min-hosts", "3", "at least 3", GateVerdict::kPassed, ""}};
  pinned.compile_profile = CompileProfileChoice::kKept;
  pinned.choice_reason = "it still fits";
  RefreshResult refused = refreshed(RefreshOutcome::kRefused);
  refused.name = "other";
  EXPECT_EQ(refresh_markdown({pinned, refused}, {}),
            "# New profiles\n"
            "\n"
            "## queryd\n"
            "\n"
            "- profiles: 0 profiles of 0 hosts, 0 samples\n"
            "- compile profile: kept: it still fits\n"
            "\n"
            "| gate | found | wanted | verdict |\n"
            "|---|---|---|---|\n"
            "| min-hosts | 3 | at least 3 | ok |\n");
}

}  // namespace
}  // namespace pgo::refresh_report_test
