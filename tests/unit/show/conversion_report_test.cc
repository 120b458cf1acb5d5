#include "pgo/show/conversion_report.h"

#include "pgo/base/time_text.h"
#include "tests/data/shown_files.h"

namespace pgo::test::conversion_report_test {
namespace {

using ConversionReportTest = ShownFiles;

constexpr const char* kReport = R"({
  "binaries": [{"path": "/bin/server", "build_id": "c0ffee", "traces": 1234,
                "evidence": "software-branch-records", "quality": "good"},
               {"path": "/bin/sampled", "build_id": "beef", "traces": 9, "samples": 3515,
                "evidence": "pc-samples", "quality": "thin"},
               {"path": "/bin/old", "build_id": "", "traces": 1, "quality": "unknown"}],
  "branches": {"seen": 320, "used": 300, "dropped": {"kernel": 20}},
  "density": 60.5,
  "evidence": "software-branch-records",
  "inference": {"unsampled_flow_share": 0.009},
  "lost": 7,
  "new": {"of a later version": [1.5, null]},
  "outputs": [{"path": "server.prof", "size": 2048}],
  "quality": "good",
  "samples": {"seen": 10, "used": 9, "dropped": {"kernel": 1}},
  "split_half_overlap": 0.991,
  "unused_inputs": [{"path": "b.perf", "reason": "it has no samples"}],
  "warnings": [{"kind": "a", "messages": ["one", "two"], "count": 2}]
})";

TEST_F(ConversionReportTest, ShowsItAsTheConversionSaidIt) {
  EXPECT_EQ(
      text_of(write("report.json", kReport)),
      "report.json: report of pgo convert\n"
      "  evidence      software-branch-records\n"
      "  quality       good\n"
      "  split-half    overlap 99.1 %\n"
      "  unsampled     0.9 % of the inferred flow\n"
      "  binaries      /bin/server  c0ffee  1 234 traces, quality good\n"
      "                /bin/sampled  beef  3 515 PC samples, evidence pc-samples, quality thin\n"
      "                /bin/old  none  1 trace\n"
      "  outputs       server.prof  2.0 kB\n"
      "  not used      b.perf: it has no samples\n"
      "  warnings      one\n"
      "                two\n"
      "\n"
      "  samples                                                          10  100.0 %\n"
      "  - in the kernel                                                   1   10.0 %\n"
      "  = samples used                                                    9   90.0 %\n"
      "  branch records in them                                          320  100.0 %\n"
      "  - in the kernel                                                  20    6.2 %\n"
      "  = branch records used                                           300   93.8 %\n"
      "  7 more samples were lost by the kernel\n");
}

TEST_F(ConversionReportTest, IsTheReportItselfInJson) {
  EXPECT_EQ(json_of(write("report.json", kReport)), nlohmann::json::parse(kReport));
}

ConversionReport::Provenance provenance_of(std::string_view text) {
  const Bytes bytes{reinterpret_cast<const uint8_t*>(text.data()), text.size()};
  return read_conversion_report(bytes, "R").value().provenance;
}

TEST_F(ConversionReportTest, SaysWhereProfilesComeFrom) {
  const ConversionReport::Provenance provenance = provenance_of(R"({
    "origins": {"labels": {"service": {"queryd": 2}, "host": {"a": 1, "b": 1}},
                "window": {"from": "2026-11-19T00:00:00Z", "to": "2026-11-20T00:00:00Z"}},
    "provenance": [{"query": {"service": "queryd"}, "tool_version": "0.1.0",
                    "sources": ["s3://b/p", "dir:x"],
                    "members": {"window": {"from": "2026-11-18T00:00:00Z",
                                           "to": "2026-11-19T00:00:00Z"}}},
                   {"sources": ["dir:x"]}]})");
  EXPECT_EQ(provenance.service, "queryd");
  EXPECT_EQ(provenance.tool, "0.1.0");
  EXPECT_EQ(provenance.sources, (std::vector<std::string>{"dir:x", "s3://b/p"}));
  ASSERT_TRUE(provenance.window);
  EXPECT_EQ(format_time(provenance.window->first), "2026-11-18T00:00:00Z");
  EXPECT_EQ(format_time(provenance.window->second), "2026-11-20T00:00:00Z");
}

TEST_F(ConversionReportTest, TakesTimesOfFilesForRecordings) {
  const ConversionReport::Provenance provenance = provenance_of(R"({
    "modified": {"recordings": 2, "window": {"from": "2026-11-19T10:00:00Z",
                                             "to": "2026-11-19T10:05:00Z"}}})");
  ASSERT_TRUE(provenance.window);
  EXPECT_EQ(format_time(provenance.window->first), "2026-11-19T10:00:00Z");
  EXPECT_EQ(format_time(provenance.window->second), "2026-11-19T10:05:00Z");
}

TEST_F(ConversionReportTest, KnowsProfilesByDigest) {
  const std::string a = "sha256:" + std::string(64, 'a'), b = "sha256:" + std::string(64, 'b');
  const std::string text =
      R"({"density": 70.5, "evidence": "software-branch-records", "quality": "fair", "binaries": [{"path": "/bin/s", "build_id": "c0ffee",
    "density": 60.5, "split_half_overlap": 0.9}], "outputs": [{"path": "x", "digest": ")" +
      a + R"(", "evidence": "pc-samples", "quality": "good"}, {"path": "y", "digest": ")" + b +
      R"(", "binary": "/bin/s"}, {"path": "z", "digest": "none"}]})";
  const Bytes bytes{reinterpret_cast<const uint8_t*>(text.data()), text.size()};
  const ConversionReport report = read_conversion_report(bytes, "R").value();
  ASSERT_EQ(report.profiles.size(), 2u);
  EXPECT_EQ(report.profiles[0].digest, a);
  EXPECT_EQ(report.profiles[0].evidence, "pc-samples");
  EXPECT_EQ(report.profiles[0].quality, "good");
  EXPECT_EQ(report.profiles[1].evidence, "software-branch-records");
  EXPECT_EQ(report.profiles[1].quality, "fair");
  EXPECT_EQ(report.profiles[0].build_id, "");
  EXPECT_EQ(report.profiles[0].density, 70.5);
  EXPECT_EQ(report.profiles[1].build_id, "c0ffee");
  EXPECT_EQ(report.profiles[1].density, 60.5);
  EXPECT_EQ(report.profiles[1].split_half_overlap, 0.9);
}

TEST_F(ConversionReportTest, NamesNoServiceOfSeveral) {
  EXPECT_EQ(provenance_of(R"({"origins": {"labels": {"service": {"a": 1, "b": 1}}}})").service, "");
  const ConversionReport::Provenance none =
      provenance_of(R"({"origins": {"window": {"from": "x"}}, "provenance": {"a": 1}})");
  EXPECT_FALSE(none.window);
  EXPECT_TRUE(none.sources.empty());
}

TEST_F(ConversionReportTest, LeavesOutAnUnknownQuality) {
  std::string text = text_of(
      write("report.json",
            R"({"evidence": "unknown", "quality": "unknown", "samples": {}, "branches": {}})"));
  EXPECT_EQ(text.find("quality"), text.npos) << text;
}

// Figures were texts, and "pc_samples" was the number of different addresses.
TEST_F(ConversionReportTest, ReadsReportsOfEarlierVersions) {
  const std::string text =
      text_of(write("report.json",
                    R"({"binaries": [{"path": "/bin/server", "build_id": "c0ffee", "traces": 1234,
                              "pc_samples": 77}],
                "density": "267.2", "evidence": "pc-samples", "quality": "good", "samples": {},
                "branches": {}, "split_half_overlap": "0.991"})"));
  EXPECT_TRUE(
      text.starts_with("report.json: report of pgo convert\n"
                       "  evidence      pc-samples\n"
                       "  quality       good\n"
                       "  density       267.2\n"
                       "  split-half    overlap 99.1 %\n"
                       "  binaries      /bin/server  c0ffee  1 234 traces\n"))
      << text;
}

TEST_F(ConversionReportTest, TakesWhatWasAltered) {
  EXPECT_EQ(text_of(write("report.json",
                          R"({"evidence": 1, "samples": {"seen": -1, "dropped": 7}, "branches": {},
                              "density": "nan", "split_half_overlap": "",
                              "binaries": {"a": 1}, "outputs": [7], "unused_inputs": [1],
                              "warnings": [{"messages": [3]}, 4]})")),
            "report.json: report of pgo convert\n"
            "  evidence      ?\n"
            "  outputs       ?  0 bytes\n"
            "  not used      ?: ?\n"
            "  warnings      ?\n"
            "\n"
            "  samples                                                           0    0.0 %\n"
            "  = samples used                                                    0    0.0 %\n");
}

TEST_F(ConversionReportTest, RejectsWhatIsCutShort) {
  std::string report = kReport;
  EXPECT_EQ(text_of(write("report.json", report.substr(0, report.size() - 1))),
            "error: report.json: is not a report of a conversion: line 19 is not valid JSON");
}

// What prints it again would use up the stack.
TEST_F(ConversionReportTest, RejectsDeepNesting) {
  std::string deep =
      R"({"binaries": "a\"[", "samples": 1, "branches": )" + std::string(1 << 20, '[');
  EXPECT_EQ(text_of(write("report.json", deep)),
            "error: report.json: is not a report of a conversion: it is nested more than 64 levels "
            "deep");
}

}  // namespace
}  // namespace pgo::test::conversion_report_test
