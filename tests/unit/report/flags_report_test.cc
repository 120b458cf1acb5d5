#include "pgo/report/flags_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::flags_report_test {
namespace {

FlagsResult result() {
  FlagsResult result;
  result.compiler = {"/usr/bin/clang-22", "22.1.8", CompilerFamily::kClang};
  result.compile = {{{"-fprofile-sample-use=it's.prof"}, "no profile"}, {{"-mllvm", "-x"}, "no x"}};
  result.link = {{{"-Wl,--build-id=sha1"}, "no build ID"}};
  result.unknown = {{{"-mllvm", "-y"}, "no y"}};
  return result;
}

TEST(FlagsReport, AsTables) {
  EXPECT_EQ(flags_text(result()),
            "  COMPILE                              WITHOUT IT\n"
            "  '-fprofile-sample-use=it'\\''s.prof'  no profile\n"
            "  -mllvm -x                            no x\n"
            "\n"
            "  LINK                 WITHOUT IT\n"
            "  -Wl,--build-id=sha1  no build ID\n"
            "\n"
            "  NOT KNOWN TO THIS COMPILER  WITHOUT IT\n"
            "  -mllvm -y                   no y\n");
}

TEST(FlagsReport, AsOneLine) {
  EXPECT_EQ(flags_line(result().compile), "'-fprofile-sample-use=it'\\''s.prof' -mllvm -x\n");
  EXPECT_EQ(flags_line({}), "\n");
}

TEST(FlagsReport, AsJson) {
  nlohmann::json json = flags_json(result());
  EXPECT_EQ(json["compiler"]["family"], "clang");
  EXPECT_EQ(json["compiler"]["version"], "22.1.8");
  EXPECT_EQ(json["compile"][1], (nlohmann::json{{"words", {"-mllvm", "-x"}}, {"loss", "no x"}}));
  EXPECT_EQ(json["link"].size(), 1u);
  EXPECT_EQ(json["unknown"].size(), 1u);
}

}  // namespace
}  // namespace pgo::flags_report_test
