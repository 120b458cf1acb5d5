#include "pgo/show/bolt_profile_contents.h"

#include "tests/data/shown_files.h"

namespace pgo::test::bolt_profile_contents_test {
namespace {

using BoltProfileTest = ShownFiles;

constexpr const char* kFdata =
    "boltedcollection\n"
    "1 main 10 1 main 20 3 12\n"
    "1 _ZL4stepl/1 4 1 _ZL4stepl/1 0 0 30\n"
    "0 [unknown] 0 1 main 0 0 1\n";

TEST_F(BoltProfileTest, ShowsFdata) {
  std::string path = write("a.fdata", kFdata);
  EXPECT_EQ(text_of(path),
            "a.fdata: BOLT profile (fdata), 106 bytes\n"
            "  kind          branches, of a binary optimized by BOLT\n"
            "  records       3\n"
            "  total         43, 7.0 % mispredicted\n"
            "  functions     2\n"
            "\n"
            "  COUNT   SHARE  MISPREDICTED  FUNCTION\n"
            "     30  69.8 %         0.0 %  step(long)/1\n"
            "     12  27.9 %        25.0 %  main\n");
  EXPECT_EQ(json_of(request(path, 1)),
            (nlohmann::json{
                {"path", "a.fdata"},
                {"format", "fdata"},
                {"size", 106},
                {"pc_samples", false},
                {"bolted", true},
                {"events", nlohmann::json::array()},
                {"branches", 3},
                {"samples", 0},
                {"memory_accesses", 0},
                {"total", 43},
                {"mispredicts", 3},
                {"functions", 2},
                {"hottest", {{{"function", "_ZL4stepl/1"}, {"count", 30}, {"mispredicts", 0}}}}}));
}

TEST_F(BoltProfileTest, TellsPcSamplesAndTheirEvent) {
  std::string path = write("pc.fdata", "no_lbr cycles:u\n1 main 10 5\n");
  EXPECT_NE(text_of(path).find("  kind          PC samples, event cycles:u\n"), std::string::npos);
  EXPECT_EQ(json_of(path)["pc_samples"], true);
  EXPECT_EQ(json_of(path)["events"], nlohmann::json{"cycles:u"});
}

TEST_F(BoltProfileTest, NamesTheLineOfDamagedFdata) {
  EXPECT_EQ(text_of(write("a.fdata", "1 main 10 1 main 20 3 12\n1 main\n")),
            "error: a.fdata: line 2: expected an offset, found the end of the line");
}

constexpr const char* kYaml =
    "---\n"
    "header:\n"
    "  profile-version: 1\n"
    "  binary-name:     server\n"
    "  binary-build-id: 0b286087ce93a9612f5168ea0a9d5137c5e5ab9e\n"
    "  profile-flags:   [ lbr ]\n"
    "functions:\n"
    "  - name:            main\n"
    "    exec:            2\n"
    "    blocks:\n"
    "      - bid:             0\n"
    "        succ:            [ { bid: 4, cnt: 12, mis: 3 } ]\n"
    "  - name:            '_ZL4stepl/1'\n"
    "    exec:            1\n"
    "    blocks:\n"
    "      - bid:             0\n"
    "        succ:            [ { bid: 4, cnt: 25 }, { bid: 1, cnt: 5 } ]\n"
    "...\n";

TEST_F(BoltProfileTest, ShowsYaml) {
  std::string path = write("a.yaml", kYaml);
  EXPECT_EQ(text_of(path),
            "a.yaml: BOLT profile (YAML), 472 bytes\n"
            "  binary        server\n"
            "  build ID      0b286087ce93a9612f5168ea0a9d5137c5e5ab9e\n"
            "  kind          branches\n"
            "  total         42, 7.1 % mispredicted, 3 calls of functions\n"
            "  functions     2\n"
            "\n"
            "  COUNT   SHARE  MISPREDICTED  FUNCTION\n"
            "     30  71.4 %         0.0 %  step(long)/1\n"
            "     12  28.6 %        25.0 %  main\n");
  EXPECT_EQ(json_of(request(path, 1)),
            (nlohmann::json{
                {"path", "a.yaml"},
                {"format", "bolt-yaml"},
                {"size", 472},
                {"binary", "server"},
                {"build_id", "0b286087ce93a9612f5168ea0a9d5137c5e5ab9e"},
                {"pc_samples", false},
                {"total", 42},
                {"mispredicts", 3},
                {"entries", 3},
                {"functions", 2},
                {"hottest", {{{"function", "_ZL4stepl/1"}, {"count", 30}, {"mispredicts", 0}}}}}));
}

TEST_F(BoltProfileTest, RejectsYamlThatIsCutShort) {
  std::string yaml = kYaml;
  EXPECT_EQ(text_of(write("a.yaml", yaml.substr(0, yaml.size() - 4))),
            "error: a.yaml: does not end with '...'; was it cut short?");
}

TEST_F(BoltProfileTest, ShowsPreaggregatedTraces) {
  std::string path = write("a.preagg",
                           "E cycles:u\n"
                           "T 4010 4020 4030 5\n"
                           "T X:0 4020 4024 2\n"
                           "B 4010 4020 1 1\n");
  EXPECT_EQ(text_of(path),
            "a.preagg: pre-aggregated traces for perf2bolt -pa, 64 bytes\n"
            "  events        cycles:u\n"
            "  records       4, 3 different traces\n"
            "  total         8 branches, 12.5 % mispredicted\n"
            "\n"
            "  COUNT   SHARE  BRANCH   TO      UP TO\n"
            "      5  62.5 %  0x4010   0x4020  0x4030\n"
            "      2  25.0 %  outside  0x4020  0x4024\n"
            "      1  12.5 %  0x4010   0x4020\n");
  nlohmann::json json = json_of(request(path, 2));
  EXPECT_EQ(
      json["hottest"][1],
      (nlohmann::json{{"from", nullptr}, {"to", "0x4020"}, {"last", "0x4024"}, {"count", 2}}));
  json.erase("hottest");
  EXPECT_EQ(json, (nlohmann::json{{"path", "a.preagg"},
                                  {"format", "preagg"},
                                  {"size", 64},
                                  {"build_id", ""},
                                  {"events", {"cycles:u"}},
                                  {"records", 4},
                                  {"traces", 3},
                                  {"total", 8},
                                  {"mispredicts", 1},
                                  {"samples", 0}}));
}

TEST_F(BoltProfileTest, CountsPcSamplesOfPreaggregatedTraces) {
  EXPECT_EQ(text_of(write("s.preagg", "S 4010 7\nS 4020 1\n")),
            "s.preagg: pre-aggregated traces for perf2bolt -pa, 18 bytes\n"
            "  records       2, 0 different traces\n"
            "  total         0 branches, 0.0 % mispredicted\n"
            "  samples       8\n");
}

}  // namespace
}  // namespace pgo::test::bolt_profile_contents_test
