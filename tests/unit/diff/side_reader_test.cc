#include "pgo/diff/side_reader.h"

#include <gtest/gtest.h>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/diff/diff.h"
#include "tests/data/small_profiles.h"
#include "tests/data/temporary_files.h"

namespace pgo::side_reader_test {
namespace {

class SideReaderTest : public test::TemporaryFiles {
 protected:
  static DiffRequest request(std::vector<std::string> before, std::vector<std::string> after) {
    DiffRequest request;
    request.sides = {std::move(before), std::move(after)};
    request.jobs = 2;
    return request;
  }
};

// Units of work beside the profiles are no stacks.
TEST_F(SideReaderTest, SkipsListsOfNumbersInDirectories) {
  write("before/web-1.folded", "f 10\n");
  write("before/units.txt", "web-1 220000\n");
  write("after/web-1.txt", "main;f 10\n");
  Result<DiffResult> result = diff(request({path("before")}, {path("after")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].weight, 10);
  EXPECT_EQ(result->sides[1].weight, 10);
  result = diff(request({path("before/units.txt")}, {path("after")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].weight, 220000);
}

// pgo record writes the service, the version and the host into each address profile.
TEST_F(SideReaderTest, TakesTheLabelsOfAddressProfiles) {
  auto store = [&](const std::string& file, const std::string& version, uint64_t samples) {
    AddressProfile profile = test::pc_sample_profile("0102030405060708", "/srv/q",
                                                     {{ElfAddr{0x1208}, samples, samples}});
    profile.origins = Origins::of({{"host", "web-1"}, {"version", version}}, std::nullopt);
    write("store/" + file, write_address_profile(profile).value());
  };
  store("a.addr", "1", 10);
  store("b.addr", "2", 30);
  const Result<DiffResult> result =
      diff(request({path("store") + "#version=1"}, {path("store") + "#version=2,host=web-1"}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].samples, 10);
  EXPECT_EQ(result->sides[1].samples, 30);
  ASSERT_EQ(result->sides[1].members.size(), 1u);
}

// A list that the caller took units of work from, whatever it is called.
TEST_F(SideReaderTest, RefusesFilesOfUnitsAsInputs) {
  write("before/web-1.folded", "f 10\n");
  write("before/units.folded", "web-1 220000\n");
  write("after.folded", "f 12\n");
  DiffRequest two = request({path("before")}, {path("after.folded")});
  two.unit_files = {path("before/./units.folded")};
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sides[0].weight, 10);
  EXPECT_TRUE(result->diagnostics.entries().empty());
  for (const char* input : {"before/units.folded", "before/*"}) {
    two.sides[0] = {path(input)};
    result = diff(two);
    ASSERT_FALSE(result);
    EXPECT_EQ(relative(result.error().message),
              "before/units.folded: has units of work (\xFF{units-before}, \xFF{units-after}), so "
              "it is not a profile; leave it out of the inputs");
  }
}

// What a profile counts besides branches can be compared.
TEST_F(SideReaderTest, NamesOtherSampleTypesThanBranches) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("cycles"), text("count")}, {text("branches"), text("count")}};
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{1}},
                                          {{profile.add_function({.name = text("f")}), 1, 0}});
  profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {3, 30});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  DiffRequest both = request({path("a.pb")}, {path("a.pb")});
  Result<DiffResult> result = diff(both);
  ASSERT_FALSE(result);
  const std::string message = relative(result.error().message);
  EXPECT_TRUE(message.starts_with("a.pb: its event 'branches' counts branches, ")) << message;
  EXPECT_TRUE(message.ends_with(
      " clock'); or compare what else it counts, with \xFF{sample-type}: cycles/count"))
      << message;
  both.sample_type = "cycles";
  EXPECT_TRUE(diff(both));
}

TEST_F(SideReaderTest, WarnsOfEqualSides) {
  write("a.folded", "f 10\ng 20\n");
  write("b.folded", "f 12\ng 20\n");
  auto is_warned_of = [&](const DiffRequest& two) {
    return diff(two)->diagnostics.entries().contains("equal-sides");
  };
  EXPECT_TRUE(is_warned_of(request({path("a.folded")}, {path("a.folded")})));
  EXPECT_FALSE(is_warned_of(request({path("a.folded")}, {path("b.folded")})));
}

}  // namespace
}  // namespace pgo::side_reader_test
