#include "pgo/show/compiler_profile_contents.h"

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "tests/data/shown_files.h"

namespace pgo::test::compiler_profile_contents_test {
namespace {

using CompilerProfileTest = ShownFiles;

// The density is that of f (7 in one line), because main has less than 99 % of the 317 in lines.
constexpr const char* kByLine =
    "_Z4mainv:1000:2\n"
    " 1: 10\n"
    " 4: _Z6inlinev:300\n"
    "  1: 300\n"
    "f:70:5\n"
    " 0: 7\n";

TEST_F(CompilerProfileTest, ShowsAnLlvmProfile) {
  EXPECT_EQ(text_of(write("a.proftext", kByLine)),
            "a.proftext: LLVM sample profile, text, 64 bytes\n"
            "  kind          by line\n"
            "  functions     2\n"
            "                and 1 only as inlined into them\n"
            "  total         1 070, 7 calls of functions\n"
            "  density       7.0\n"
            "  cutoffs       50 % of the counts are in 1 line of 300 or more\n"
            "                90 % of the counts are in 1 line of 300 or more\n"
            "                99 % of the counts are in 3 lines of 7 or more\n"
            "                99.9999 % of the counts are in 3 lines of 7 or more\n"
            "\n"
            "  TOTAL   SHARE  CALLS  FUNCTION\n"
            "  1 000  93.5 %      2  main()\n"
            "     70   6.5 %      5  f\n");
}

TEST_F(CompilerProfileTest, HasRawNamesAndExactFiguresInJson) {
  nlohmann::json json = json_of(request(write("a.proftext", kByLine), 1));
  EXPECT_EQ(json["cutoffs"].back(),
            (nlohmann::json{{"share", 0.999999}, {"counts", 3}, {"smallest_count", 7}}));
  json.erase("cutoffs");
  EXPECT_EQ(json, (nlohmann::json{
                      {"path", "a.proftext"},
                      {"format", "llvm-text"},
                      {"size", 64},
                      {"density", 7.0},
                      {"context_sensitive", false},
                      {"pre_inlined", false},
                      {"probe_based", false},
                      {"flow_sensitive", false},
                      {"hashed_names", false},
                      {"inlined_functions", 1},
                      {"warnings", nlohmann::json::array()},
                      {"functions", 2},
                      {"total", 1070},
                      {"head", 7},
                      {"hottest", {{{"function", "_Z4mainv"}, {"total", 1000}, {"head", 2}}}}}));
}

TEST_F(CompilerProfileTest, CountsFunctionsWithoutAChecksum) {
  std::string path =
      write("a.proftext", "main:15:2\n 1: 10\n 2: 5\n !CFGChecksum: 1234\nf:1:1\n 1: 1\n");
  EXPECT_EQ(text_of(path),
            "a.proftext: LLVM sample profile, text, 55 bytes\n"
            "  kind          by pseudo probe\n"
            "  functions     2, 1 of them without the checksum of their control flow\n"
            "  total         16, 3 calls of functions\n"
            "  density       7.5\n"
            "  cutoffs       50 % of the counts are in 1 probe of 10 or more\n"
            "                90 % of the counts are in 2 probes of 5 or more\n"
            "                99 % of the counts are in 2 probes of 5 or more\n"
            "                99.9999 % of the counts are in 2 probes of 5 or more\n"
            "  warning       a.proftext: the last function does not have all of its lines: was the "
            "file cut short?\n"
            "\n"
            "  TOTAL   SHARE  CALLS  FUNCTION\n"
            "     15  93.8 %      2  main\n"
            "      1   6.2 %      1  f\n");
  EXPECT_EQ(json_of(path)["hottest"][0]["checksum"], 1234);
}

TEST_F(CompilerProfileTest, TellsContexts) {
  std::string text = text_of(write("a.proftext", "[main]:15:2\n 1: 10\n[main:3 @ f]:7:1\n 1: 7\n"));
  EXPECT_NE(text.find("  kind          by line, context-sensitive\n"), text.npos) << text;
  EXPECT_NE(text.find("  main:3 @ f\n"), text.npos) << text;
}

TEST_F(CompilerProfileTest, SortsEqualFunctionsByName) {
  const std::string text = "b:5:1\n 1: 5\na:5:1\n 1: 5\nc:9:1\n 1: 9\n";
  Result<LlvmContents> contents = read_llvm_contents(
      Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()), "a.proftext", 2, 1);
  ASSERT_TRUE(contents.has_value());
  ASSERT_EQ(contents->functions.hottest.size(), 2u);
  EXPECT_EQ(contents->functions.hottest[0].name, "c");
  EXPECT_EQ(contents->functions.hottest[1].name, "a");
  EXPECT_EQ(contents->functions.count, 3u);
}

TEST_F(CompilerProfileTest, NamesTheLineOfADamagedProfile) {
  EXPECT_EQ(
      text_of(write("bad.proftext", "main:1:1\n nonsense\n")),
      "error: bad.proftext:2: Expected 'NUM[.NUM]: NUM[ mangled_name:NUM]*', found  nonsense");
}

GccAutoProfile gcc_profile(GccAutoProfile::Place place) {
  GccAutoProfile profile;
  profile.functions["_Z4mainv"].head = 2;
  profile.functions["_Z4mainv"].body.positions[1u << 16].count = 90;
  profile.functions["_Z4mainv"].body.inlined[{place, "f"}].positions[2u << 16].count = 10;
  return profile;
}

TEST_F(CompilerProfileTest, ShowsAGccProfile) {
  std::string path = write("a.afdo", write_gcc_auto_profile(gcc_profile(3u << 16)));
  uint64_t size = std::filesystem::file_size(path);
  EXPECT_EQ(text_of(path),
            "a.afdo: GCC profile for -fauto-profile, 1.7 kB\n"
            "  kind          by line, as GCC 12 looks them up\n"
            "  functions     1\n"
            "  total         100, 2 calls of functions\n"
            "\n"
            "  TOTAL    SHARE  CALLS  FUNCTION\n"
            "    100  100.0 %      2  main()\n");
  EXPECT_EQ(
      json_of(path),
      (nlohmann::json{{"path", "a.afdo"},
                      {"format", "gcc"},
                      {"size", size},
                      {"discriminators", false},
                      {"functions", 1},
                      {"total", 100},
                      {"head", 2},
                      {"hottest", {{{"function", "_Z4mainv"}, {"total", 100}, {"head", 2}}}}}));
}

TEST_F(CompilerProfileTest, FindsDiscriminatorsOfInlinedFunctions) {
  std::string path = write("a.afdo", write_gcc_auto_profile(gcc_profile((3u << 16) + 1)));
  EXPECT_EQ(json_of(path)["discriminators"], true);
  EXPECT_NE(text_of(path).find("by line and discriminator, as GCC 13 to 15 look them up\n"),
            std::string::npos);
}

}  // namespace
}  // namespace pgo::test::compiler_profile_contents_test
