#include "pgo/cli/funnel.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

TEST(FormatCount, SetsThousandsApart) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1 000");
  EXPECT_EQ(format_count(~uint64_t{0}), "18 446 744 073 709 551 615");
}

TEST(FormatCount, SaysOneOfOne) {
  EXPECT_EQ(format_count(0, "sample"), "0 samples");
  EXPECT_EQ(format_count(1, "sample"), "1 sample");
  EXPECT_EQ(format_count(1234, "sample"), "1 234 samples");
  EXPECT_EQ(format_count(1, "branch was", "branches were"), "1 branch was");
  EXPECT_EQ(format_count(21, "branch was", "branches were"), "21 branches were");
}

TEST(FormatFunnelLine, CountsOneAsOne) {
  AddressProfile profile;
  profile.samples.seen = profile.samples.used = 1;
  EXPECT_EQ(format_funnel_line(profile), "1 sample: 100.0 % used");
  profile.branches.seen = profile.branches.used = 1;
  profile.lost = 1;
  EXPECT_EQ(format_funnel_line(profile),
            "1 sample, 1 branch record: 100.0 % used; 1 more sample was lost by the kernel");
  profile.lost = 2;
  EXPECT_EQ(format_funnel_line(profile),
            "1 sample, 1 branch record: 100.0 % used; 2 more samples were lost by the kernel");
}

}  // namespace
}  // namespace pgo
