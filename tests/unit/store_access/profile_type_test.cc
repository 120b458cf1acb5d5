#include "pgo/store_access/profile_type.h"

#include <gtest/gtest.h>

namespace pgo::profile_type_test {
namespace {

const char *kSamples = "process_cpu:samples:count:cpu:nanoseconds",
           *kCpu = "process_cpu:cpu:nanoseconds:cpu:nanoseconds",
           *kSpace = "memory:alloc_space:bytes:space:bytes",
           *kAgent = "parca_agent:samples:count:cpu:nanoseconds:delta";

// The type, or the error.
std::string choose(const std::set<std::string, std::less<>>& types, const std::string& wanted) {
  const Result<std::string> type = store_access::choose_profile_type(types, wanted, "store");
  return type ? *type : type.error().message;
}

TEST(ProfileType, CountsTimeOnTheCpu) {
  EXPECT_EQ(choose({kCpu, kSamples, kSpace}, ""), kSamples);
  EXPECT_EQ(choose({kCpu, kSpace}, ""), kCpu);
  EXPECT_EQ(choose({kAgent, kSpace, "no type"}, ""), kAgent);
  EXPECT_EQ(choose({}, ""), "");
}

TEST(ProfileType, CountsWhatIsAskedFor) {
  EXPECT_EQ(choose({kCpu, kSamples, kSpace}, "alloc_space"), kSpace);
  EXPECT_EQ(choose({kCpu, kSamples, kSpace}, "cpu/nanoseconds"), kCpu);
  EXPECT_EQ(choose({kCpu, kSpace}, "samples"),
            std::string("store: no profile type has samples of the type 'samples'; it has: ") +
                kSpace + ", " + kCpu);
  EXPECT_EQ(choose({kSpace}, ""),
            std::string("store: no profile type has time on the CPU; it has: ") + kSpace);
}

TEST(ProfileType, IsOneOnly) {
  EXPECT_EQ(choose({kAgent, kCpu, kSamples}, ""),
            std::string("store: several profile types have time on the CPU: ") + kAgent + ", " +
                kSamples);
}

}  // namespace
}  // namespace pgo::profile_type_test
