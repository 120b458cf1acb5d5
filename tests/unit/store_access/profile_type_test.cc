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

TEST(ProfileType, IsOfOneEvent) {
  const char* kCycles = "process_cpu:samples:count:cycles:count";
  EXPECT_EQ(choose({kCpu, kSamples, kCycles}, ""),
            std::string("store: several profile types have time on the CPU: ") + kSamples + ", " +
                kCycles);
}

TEST(ProfileType, HasNoColonInAPart) {
  EXPECT_FALSE(store_access::parse_profile_type("process_cpu:samples:count:cycles:u:count"));
  EXPECT_FALSE(store_access::parse_profile_type("process_cpu:samples:count:cycles:u:count:delta"));
  EXPECT_TRUE(store_access::parse_profile_type(kAgent)->is_delta);
  EXPECT_FALSE(store_access::parse_profile_type(kCpu)->is_delta);
  const Result<std::string> type =
      store_access::choose_profile_type({"process_cpu:samples:count:cycles:u:count"}, "", "store");
  EXPECT_EQ(type.error().message,
            "store: no profile type has time on the CPU; it has: "
            "process_cpu:samples:count:cycles:u:count");
  EXPECT_EQ(
      type.error().advice,
      "a type with a colon in one of its parts, such as cycles:u, cannot be asked for; upload "
      "such profiles again with 'pgo upload', which leaves it out");
}

}  // namespace
}  // namespace pgo::profile_type_test
