// What fetch() says of stores that do not keep all of a profile.
#include <gtest/gtest.h>

#include "tests/unit/fetch/fetch_fixture.h"

namespace pgo::lost_parts_test {
namespace {

// A store that loses something.
class LossySource : public test::MemorySource {
 public:
  using MemorySource::MemorySource;
  std::string how_to_keep(LostPart part) const override {
    return part == LostPart::kAddresses ? "send addresses" : "send build IDs";
  }
};

class LostPartsTest : public test::FetchTest {
 protected:
  // A profile whose samples have no addresses.
  static std::string without_addresses(int64_t count) {
    StackProfile stacks = test::small_stacks({{.stack = {{"scan"}}, .count = count}});
    for (StackLocation& location : stacks.locations) location.address.value = 0;
    stacks.mappings[0].build_id = stacks.strings.add(test::kNew);
    stacks.normalize();
    return gzip(write_pprof(stacks)).value();
  }
  std::vector<std::string> warnings() {
    std::vector<std::string> found;
    const FetchResult result = fetch(request_).value();
    for (const char* kind : {kLostAddresses, kLostBuildIds}) {
      const auto entry = result.diagnostics.entries().find(kind);
      if (entry != result.diagnostics.entries().end())
        found.push_back(entry->second.messages.at(0));
    }
    return found;
  }
};

TEST_F(LostPartsTest, AreWarnings) {
  LossySource source("store");
  source.add("a", {{"host", "a"}}, without_addresses(100));
  source.add("b", {{"host", "b"}}, test::profile("scan", 200));
  source.add("c", {{"host", "c"}}, test::profile("scan", 100, test::kNew));
  request_.sources = {&source};
  EXPECT_EQ(
      warnings(),
      (std::vector<std::string>{
          "store: 25.0 % of the samples have no addresses, so they count by function and line "
          "(evidence function-and-line), and BOLT cannot use them; send addresses",
          "store: 50.0 % of the samples are of files without a build ID, so which build ran is "
          "not known, and only a file's name can match them with a binary; send build IDs"}));
}

TEST_F(LostPartsTest, AreNoneWhereNothingIsLost) {
  LossySource source("store");
  source.add("c", {{"host", "c"}}, test::profile("scan", 1000, test::kNew));
  source.add("d", {{"host", "d"}}, without_addresses(5));
  request_.sources = {&source};
  EXPECT_TRUE(warnings().empty());
  // A directory keeps what it was given.
  source_.add("a", {{"host", "a"}}, without_addresses(100));
  request_.sources = {&source_};
  EXPECT_TRUE(warnings().empty());
}

}  // namespace
}  // namespace pgo::lost_parts_test
