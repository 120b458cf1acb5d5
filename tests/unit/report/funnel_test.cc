#include "pgo/report/funnel.h"

#include <gtest/gtest.h>

namespace pgo::funnel_test {
namespace {

TEST(FormatFunnelLine, CountsOneAsOne) {
  AddressProfile profile;
  profile.samples.seen = profile.samples.used = 1;
  EXPECT_EQ(format_funnel_line(profile), "1 sample: 100.0 % used");
  profile.branches.seen = profile.branches.used = 1;
  profile.lost = 1;
  EXPECT_EQ(format_funnel_line(profile),
            "1 sample: 100.0 % used; 1 branch record: 100.0 % used; 1 more sample was lost by the "
            "kernel");
  profile.lost = 2;
  EXPECT_EQ(format_funnel_line(profile),
            "1 sample: 100.0 % used; 1 branch record: 100.0 % used; 2 more samples were lost by "
            "the kernel");
}

TEST(FormatFunnelLine, SaysWhatBecameOfSamplesBesideThatOfBranchRecords) {
  AddressProfile profile;
  profile.samples.seen = 1000;
  profile.samples.used = 600;
  profile.samples[Dropped::kWithoutStack] = 400;
  profile.branches.seen = 50;
  profile.branches[Dropped::kOtherBinary] = 50;
  EXPECT_EQ(format_funnel_line(profile),
            "1 000 samples: 60.0 % used (40.0 % without branch records); 50 branch records: none "
            "used (100.0 % in other binaries)");
}

}  // namespace
}  // namespace pgo::funnel_test
