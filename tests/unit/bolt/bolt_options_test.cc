// Texts are those of llvm-bolt 22 and 14, shortened.
#include "bolt/bolt_options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pgo::bolt_options_test {
namespace {

using Words = std::vector<std::string>;

constexpr char kHelp22[] =
    "OVERVIEW: BOLT - Binary Optimization and Layout Tool\n"
    "\n"
    "BOLT generic options:\n"
    "\n"
    "  --asm-dump[=<dump folder>]                                  - dump function into assembly\n"
    "  -b                                                        - alias for -data\n"
    "  --bolt-info                                               - write bolt info section\n"
    "  --dyno-stats                                              - print execution info\n"
    "  --enable-bat                                              - write translation tables\n"
    "  --icf                                                     - fold identical functions\n"
    "  --icf=<value>                                             - fold identical functions\n"
    "    =all                                                    -   Enable\n"
    "    =1                                                      -   Enable\n"
    "    =<empty>                                                -   Enable\n"
    "    =safe                                                   -   Enable safe folding\n"
    "  --infer-stale-profile                                     - Infer counts from stale data.\n"
    "  --no-huge-pages                                           - use regular size pages\n"
    "  --reorder-blocks=<value>                                  - change layout of blocks\n"
    "    =cache+                                                 -   perform layout\n"
    "    =ext-tsp                                                -   perform layout\n"
    "  --reorder-functions=<value>                               - reorder functions\n"
    "    =hfsort+                                                -   use cache-directed sort\n"
    "    =cdsort                                                 -   use cache-directed sort\n"
    "  --split-all-cold                                          - outline cold blocks\n"
    "  --split-eh                                                - split exception handling\n"
    "  --split-functions                                         - split functions\n"
    "  --update-debug-sections                                   - update DWARF debug sections\n";

constexpr char kHelpOld[] =
    "  -icf                             - fold functions with identical code\n"
    "  -reorder-blocks=<value>          - change layout of basic blocks in a function\n"
    "    =cache+                        -   perform layout optimizing I-cache behavior\n"
    "  -reorder-functions=<value>       - reorder and cluster functions\n"
    "    =hfsort+                       -   use hfsort+ algorithm\n"
    "  -split-functions                 - split functions into hot and cold regions\n";

TEST(BoltOptions, ReadsTheHelp) {
  SupportedOptions supported = parse_bolt_help(kHelp22);
  EXPECT_EQ(supported.options.size(), 14u);
  EXPECT_TRUE(supported.has("asm-dump"));
  EXPECT_TRUE(supported.has("b"));
  EXPECT_FALSE(supported.has("OVERVIEW"));
  EXPECT_TRUE(supported.has("icf", "safe"));
  EXPECT_FALSE(supported.has("icf", "cdsort"));
  EXPECT_EQ(supported.options["reorder-blocks"], (std::set<std::string>{"cache+", "ext-tsp"}));
  EXPECT_TRUE(parse_bolt_help("").options.empty());
}

TEST(BoltOptions, ChoosesTheBestThatThereIs) {
  BoltArguments arguments =
      choose_bolt_options(parse_bolt_help(kHelp22), {.debug_sections = true}, {});
  EXPECT_EQ(arguments.options,
            (Words{"-reorder-blocks=ext-tsp", "-reorder-functions=cdsort", "-split-functions",
                   "-split-all-cold", "-split-eh", "-icf=safe", "-dyno-stats",
                   "-update-debug-sections", "-enable-bat", "-bolt-info=0"}));
  EXPECT_EQ(arguments.missing, Words{});
}

TEST(BoltOptions, SmallCodeIsNotAlignedForHugePages) {
  SupportedOptions supported = parse_bolt_help(kHelp22);
  auto times = [&](const BoltRequest& request, const Words& extra) {
    Words options = choose_bolt_options(supported, request, extra).options;
    return std::count(options.begin(), options.end(), "-no-huge-pages");
  };
  EXPECT_EQ(times({.small_code = true}, {}), 1);
  EXPECT_EQ(times({.small_code = false}, {}), 0);
  EXPECT_EQ(times({.small_code = true}, {"-no-huge-pages=false"}), 0);
  EXPECT_EQ(times({.small_code = true}, {"-hugify"}), 0);
  EXPECT_EQ(times({.small_code = true}, {"--hot-text"}), 0);
  supported.options.erase("no-huge-pages");
  EXPECT_EQ(times({.small_code = true}, {}), 0);
}

TEST(BoltOptions, AnOldVersionGetsWhatItHas) {
  BoltArguments arguments =
      choose_bolt_options(parse_bolt_help(kHelpOld), {.debug_sections = true, .stale = true}, {});
  // -icf alone folds functions whose addresses are compared: left out.
  EXPECT_EQ(arguments.options,
            (Words{"-reorder-blocks=cache+", "-reorder-functions=hfsort+", "-split-functions"}));
  EXPECT_EQ(arguments.missing,
            (Words{"-dyno-stats: there are no figures of the code before and after",
                   "-update-debug-sections: the result has no debug information",
                   "-enable-bat: recordings of the result cannot be translated back to its input",
                   "-infer-stale-profile: changed functions are not optimized"}));
}

TEST(BoltOptions, TheUsersTakeThePlaceOfOurs) {
  BoltArguments arguments = choose_bolt_options(
      parse_bolt_help(kHelp22), {.address_translation = false},
      {"--icf=all", "-reorder-functions=none", "-bolt-info", "-skip-funcs=main"});
  EXPECT_EQ(arguments.options,
            (Words{"-reorder-blocks=ext-tsp", "-split-functions", "-split-all-cold", "-split-eh",
                   "-dyno-stats", "--icf=all", "-reorder-functions=none", "-bolt-info",
                   "-skip-funcs=main"}));
}

TEST(BoltOptions, NamesOfOptions) {
  EXPECT_EQ(bolt_option_name("--reorder-blocks=none"), "reorder-blocks");
  EXPECT_EQ(bolt_option_name("-v"), "v");
  EXPECT_EQ(bolt_option_name("main"), "");
  EXPECT_EQ(bolt_option_name("--"), "");
}

}  // namespace
}  // namespace pgo::bolt_options_test
