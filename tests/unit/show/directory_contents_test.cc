#include "pgo/show/directory_contents.h"

#include "pgo/base/gzip.h"
#include "tests/data/bundle_files.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/shown_files.h"

namespace pgo::test::directory_contents_test {
namespace {

using DirectoryContentsTest = ShownFiles;

// One space for each run of them: columns are as wide as the path of the test's directory makes
// them.
std::string squeezed(const std::string& text) {
  std::string result;
  for (char c : text)
    if (c != ' ' || result.empty() || result.back() != ' ') result += c;
  return result;
}

TEST_F(DirectoryContentsTest, ShowsWhatIsReadable) {
  PerfDataBuilder perf;
  perf.event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME})
      .sample({.pid = 1, .time = 1, .ip = 0x10})
      .sample({.pid = 1, .time = 2, .ip = 0x10});
  std::vector<uint8_t> bytes = perf.file();
  const std::string size = std::to_string(bytes.size());
  write("all/deeper/host.data", bytes);
  bytes.resize(bytes.size() - 8);
  write("all/cut.data", bytes);
  bytes.resize(50);
  write("all/header.data", bytes);
  write("all/traces", "B 10 20 1 0\n");
  write("all/a.proftext", "main:1:1\n");
  write("all/letter", "Dear profile,\n");
  write("all/cut.gz", gzip("Dear profile,\n").value().substr(0, 12));
  write("all/empty.data", "");

  EXPECT_EQ(squeezed(text_of(path("all"))),
            "all: directory of 8 files; pgo convert reads 3 of them\n"
            "\n"
            " FILE KIND SIZE\n"
            " all/a.proftext LLVM sample profile 9 bytes\n"
            " all/cut.data perf.data recording, truncated 304 bytes\n"
            " all/cut.gz damaged 12 bytes\n"
            " all/deeper/host.data perf.data recording 312 bytes\n"
            " all/empty.data empty 0 bytes\n"
            " all/header.data perf.data recording, damaged 50 bytes\n"
            " all/letter not known 14 bytes\n"
            " all/traces " +
                std::string(info_of(Format::kPreaggregated).name) + " 12 bytes\n");
  EXPECT_TRUE(text_of(request(path("all"), 2)).ends_with("\n  and 6 more ({top})\n"));
  nlohmann::json json = json_of(request(path("all"), 2));
  EXPECT_EQ(json["format"], "directory");
  EXPECT_EQ(json["readable"], 3);
  ASSERT_EQ(json["files"].size(), 8u);
  EXPECT_EQ(json["files"][1], (nlohmann::json{{"kind", "perf.data recording"},
                                              {"path", "all/cut.data"},
                                              {"size", 304},
                                              {"truncated", true}}));
  EXPECT_EQ(
      json["files"][5],
      (nlohmann::json{
          {"kind", "perf.data recording"},
          {"path", "all/header.data"},
          {"size", 50},
          {"truncated", false},
          {"error", "all/header.data: the header is cut short: 104 bytes expected, found 50"}}));
}

TEST_F(DirectoryContentsTest, RejectsAnEmptyDirectory) {
  std::filesystem::create_directory(path("nothing"));
  EXPECT_EQ(text_of(path("nothing")), "error: nothing: no file in this directory");
}

TEST_F(DirectoryContentsTest, ShowsABundle) {
  Bundle bundle = bundle_of({{"a.folded", "a 10\n", {1, 2}, {{"host", "web-1"}}},
                             {"b.folded", "b 20\n", {1, 1}, {{"host", "web-2"}}}});
  bundle.members[0].samples = 10;
  bundle.members[0].builds = {"aabb", "cc"};
  bundle.members[0].build_samples = {3, 7};
  bundle.members[1].samples = 20;
  bundle.members[1].window = TimeWindow{0, 3'600'000'000'000};
  write("q/a.folded", "a 10\n");
  write("q/b.folded", "b 20\n");
  write("q/other", "x");
  write("q/bundle.json", bundle_text(bundle));
  EXPECT_EQ(squeezed(text_of(path("q"))),
            "q: bundle of 2 profiles with 30 samples; pgo convert reads 0 of them\n"
            " query service=queryd\n"
            " source dir:/srv\n"
            " made by pgo test\n"
            " recorded 1970-01-01T00:00:00Z to 1970-01-01T01:00:00Z\n"
            " host web-1, web-2\n"
            "\n"
            " SAMPLES PROFILES BUILD ID\n"
            " 7 1 cc\n"
            " 3 1 aabb\n"
            "\n"
            " SAMPLES WEIGHT FILE KIND LABELS\n"
            " 10 1/2 a.folded folded stacks host=web-1\n"
            " 20 1 b.folded folded stacks host=web-2\n");
  const nlohmann::json json = json_of(request(path("q"), 1));
  EXPECT_EQ(json["format"], "bundle");
  EXPECT_EQ(json["query"], (nlohmann::json{{"service", "queryd"}}));
  EXPECT_EQ(json["members"]["samples"], 30);
  EXPECT_EQ(json["members"]["labels"], (nlohmann::json{{"host", {{"web-1", 1}, {"web-2", 1}}}}));
  EXPECT_EQ(json["files"][0]["weight"], "1/2");
  EXPECT_EQ(json["files"][1]["window"]["to"], "1970-01-01T01:00:00Z");
  write("q/b.folded", "b 30\n");
  EXPECT_NE(text_of(path("q")).find("folded stacks, damaged"), std::string::npos);
}

}  // namespace
}  // namespace pgo::test::directory_contents_test
