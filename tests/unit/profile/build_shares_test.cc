#include "pgo/profile/build_shares.h"

#include <gtest/gtest.h>

namespace pgo::build_shares_test {
namespace {

BinaryCounts counts_of(const std::string& path, uint64_t traces, uint64_t pc_samples) {
  BinaryCounts counts;
  counts.path_hint = path;
  if (traces != 0)
    counts.traces = {{ElfAddr{1}, ElfAddr{2}, ElfAddr{3}, TraceReading::kBoth, traces}};
  if (pc_samples != 0) counts.pc_samples = {{ElfAddr{1}, 1, pc_samples}};
  return counts;
}

TEST(BuildShares, CountsBranchRecordsWhereThereAreSome) {
  AddressProfile profile;
  profile.binaries = {counts_of("a", 1, 90), counts_of("b", 3, 0)};
  EXPECT_EQ(list_builds(profile),
            (std::vector<BuildShare>{
                {.path = "b", .count = 3, .total = 4, .traces = 1},
                {.path = "a", .count = 1, .total = 4, .traces = 1, .addresses = 1}}));
  profile.binaries = {counts_of("a", 0, 7), counts_of("b", 0, 9)};
  EXPECT_EQ(list_builds(profile),
            (std::vector<BuildShare>{{.path = "b", .count = 9, .total = 16, .addresses = 1},
                                     {.path = "a", .count = 7, .total = 16, .addresses = 1}}));
}

TEST(BuildShares, TellsFilesWithoutABuildIdApartByPath) {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}};
  auto add = [&](std::string_view path, std::string_view id, uint64_t begin, int64_t value) {
    MappingId mapping = profile.add_mapping({.filename = text(path),
                                             .build_id = text(id),
                                             .begin = RuntimeAddr{begin},
                                             .end = RuntimeAddr{begin + 0x100}});
    LocationId location = profile.add_location({mapping, RuntimeAddr{begin + 1}}, {});
    profile.add_sample({profile.add_stack({location}), profile.add_labels({})}, {value});
  };
  add("/bin/b", "c0ffee", 0x1000, 2);
  add("/bin/a", "c0ffee", 0x2000, 1);
  add("/lib/x", "", 0x3000, 4);
  add("/lib/y", "", 0x4000, -5);
  EXPECT_EQ(list_builds(profile),
            (std::vector<BuildShare>{
                {.path = "/lib/y", .count = 5, .total = 12, .is_negative = true, .samples = 1},
                {.path = "/lib/x", .count = 4, .total = 12, .samples = 1},
                {.id = "c0ffee", .path = "/bin/a", .count = 3, .total = 12, .samples = 2}}));
}

TEST(BuildShares, TakesAProfileWithoutSampleTypes) {
  StackProfile profile;
  profile.add_sample({profile.add_stack({}), profile.add_labels({})}, {});
  EXPECT_EQ(list_builds(profile), (std::vector<BuildShare>{{.samples = 1}}));
}

}  // namespace
}  // namespace pgo::build_shares_test
