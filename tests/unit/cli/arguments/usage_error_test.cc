#include "pgo/cli/arguments/usage_error.h"

#include <gtest/gtest.h>

namespace pgo::usage_error_test {
namespace {

const std::vector<std::string> kOptions = {"--binary", "--output"};

TEST(UsageError, NamesTheCommandsThatThereAre) {
  EXPECT_EQ(describe_unknown_command("frobnicate", {"convert", "show"}),
            "there is no command 'frobnicate'; the commands are convert, show (see 'pgo --help')");
  EXPECT_EQ(describe_unknown_command("convrt", {"convert", "show"}),
            "there is no command 'convrt'; did you mean convert? The commands are convert, show "
            "(see 'pgo --help')");
}

TEST(UsageError, FindsLongOptionsWithOneDash) {
  EXPECT_EQ(describe_single_dash({"x", "-binary", "y"}, kOptions),
            "there is no option -binary; write --binary");
  EXPECT_EQ(describe_single_dash({"-output=x"}, kOptions),
            "there is no option -output; write --output");
  EXPECT_EQ(describe_single_dash({"-b", "--binary", "-", "-o"}, kOptions), "");
  EXPECT_EQ(describe_single_dash({"--", "-binary"}, kOptions), "");
}

TEST(UsageError, FindsEmptyValues) {
  EXPECT_EQ(describe_empty_value({"x", "--binary=", "y"}, kOptions),
            "--binary: its value is empty");
  EXPECT_EQ(describe_empty_value({"--binary", "a=", "--binry=", "--", "--binary="}, kOptions), "");
}

TEST(UsageError, SaysWhereOptionsOfOtherProgramsGo) {
  EXPECT_EQ(describe_unknown_option({"x", "--binry=y"}, kOptions, ""),
            "there is no option --binry=y; did you mean --binary?");
  EXPECT_EQ(describe_unknown_option({"-icf=all"}, kOptions, "options for llvm-bolt go after --:"),
            "there is no option -icf=all; options for llvm-bolt go after --: -icf=all");
  EXPECT_EQ(describe_unknown_option({"x", "--", "--binry"}, kOptions, ""), "");
}

}  // namespace
}  // namespace pgo::usage_error_test
