#include "pgo/record/executable_mapping.h"

#include <gtest/gtest.h>

namespace pgo::executable_mapping_test {
namespace {

TEST(ExecutableMapping, TakesTheExecutableLines) {
  EXPECT_EQ(parse_executable_mappings(
                "55e0c0400000-55e0c0401000 r--p 00000000 fe:00 1312   /usr/bin/my server\n"
                "55e0c0401000-55e0c0402000 r-xp 00001000 fe:00 1312   /usr/bin/my server\n"
                "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
                "7ffd1f5c6000-7ffd1f5c8000 r-xp 00000000 00:00 0      [vdso]\n"),
            (std::vector<ExecutableMapping>{
                {0x55e0c0401000, 0x55e0c0402000, 0x1000, 0xfe, 0, 1312, "/usr/bin/my server"},
                {0x7f0000000000, 0x7f0000001000, 0, 0, 0, 0, "//anon"},
                {0x7ffd1f5c6000, 0x7ffd1f5c8000, 0, 0, 0, 0, "[vdso]"}}));
}

TEST(ExecutableMapping, IgnoresWhatIsNoLine) {
  EXPECT_TRUE(parse_executable_mappings("").empty());
  EXPECT_TRUE(parse_executable_mappings("\n\n7f00-\nr-xp\n").empty());
  EXPECT_TRUE(parse_executable_mappings("2000-1000 r-xp 00000000 00:00 0").empty());
  EXPECT_EQ(parse_executable_mappings("1000-2000 r-xp 00000000 00:00 0").size(), 1u);
}

}  // namespace
}  // namespace pgo::executable_mapping_test
