#include "pgo/profile/address_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <vector>

#include "pgo/profile/address_merger.h"

namespace pgo::address_profile_test {
namespace {

constexpr uint64_t kMax = ~uint64_t{0};

OptElfAddr at(uint64_t addr) { return ElfAddr{addr}; }

BinaryCounts binary(const std::string& hex, const std::string& path) {
  BinaryCounts counts;
  counts.id = BuildId::from_hex(hex).value_or(BuildId());
  counts.path_hint = path;
  return counts;
}

std::string dump(const AddressProfile& profile) {
  std::ostringstream out;
  profile.dump(out);
  return out.str();
}

std::string dump_normalized(AddressProfile profile) {
  profile.normalize();
  EXPECT_EQ(profile.check(), std::nullopt);
  return dump(profile);
}

// A recording as a reader would leave it: unsorted, keys repeated, small enough to collide often.
AddressProfile random_recording(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](uint64_t n) { return uint64_t{random()} % n; };
  auto maybe = [&] { return below(4) == 0 ? OptElfAddr() : at(0x1000 + below(6)); };
  AddressProfile profile;
  for (uint64_t b = 0; b < 1 + below(3); b++) {
    const char* ids[] = {"0101010101010101", "0202020202020202", ""};
    BinaryCounts counts = binary(ids[below(3)], "/srv/bin/" + std::to_string(below(2)));
    for (uint64_t i = 0; i < below(20); i++)
      counts.traces.push_back({at(0x1000 + below(6)), maybe(), maybe(),
                               static_cast<TraceReading>(below(3)),
                               below(8) == 0 ? kMax : below(100)});
    for (uint64_t i = 0; i < below(10); i++)
      counts.mispredicts.push_back({maybe(), at(0x2000 + below(3)), below(100)});
    for (uint64_t i = 0; i < below(10); i++)
      counts.pc_samples.push_back({ElfAddr{below(5)}, below(9), below(8) == 0 ? kMax : below(100)});
    for (uint64_t i = 0; i < below(10); i++)
      counts.calls.push_back({ElfAddr{below(5)}, ElfAddr{below(3)}, below(2) == 0, below(100)});
    profile.binaries.push_back(std::move(counts));
  }
  profile.events.push_back(
      {below(2) == 0 ? "cycles" : "branches", below(1000), 1000 * below(2), false});
  profile.samples.used = below(500);
  profile.samples.pending = below(100);
  profile.samples[Dropped::kKernel] = below(500);
  profile.samples.seen =
      profile.samples.used + profile.samples.pending + profile.samples[Dropped::kKernel];
  profile.branches.seen = profile.branches.used = 32 * profile.samples.used;
  profile.lost = below(3);
  profile.diagnostics.warn("unknown-record", "type " + std::to_string(below(100)));
  return profile;
}

AddressProfile merged(const std::vector<AddressProfile>& profiles) {
  AddressMerger merger;
  for (const AddressProfile& profile : profiles) merger.add(profile);
  return std::move(merger).finish();
}

TEST(AddressProfile, DumpsEverythingItHolds) {
  AddressProfile profile;
  profile.events.push_back({"cycles:u", 12, 4000, true});
  profile.events.push_back({"branches", 3, 1009, false});
  BinaryCounts counts = binary("0123456789abcdef", "/srv/server");
  counts.traces.push_back({at(0x1010), at(0x1040), at(0x1058), TraceReading::kBoth, 7});
  counts.traces.push_back({{}, at(0x1000), at(0x1010), TraceReading::kLlvm, 2});
  counts.traces.push_back({at(0x1058), {}, {}, TraceReading::kBolt, 1});
  counts.mispredicts.push_back({at(0x1010), at(0x1040), 3});
  counts.pc_samples.push_back({ElfAddr{0x1044}, 4, 4000});
  counts.calls.push_back({ElfAddr{0x1077}, ElfAddr{0x1044}, true, 3000});
  counts.calls.push_back({ElfAddr{0x10aa}, ElfAddr{0x1077}, false, 3500});
  profile.binaries.push_back(counts);
  profile.binaries.push_back(binary("", "/srv/old"));
  profile.samples.seen = 15;
  profile.samples.used = 7;
  profile.samples.pending = 2;
  profile.samples[Dropped::kKernel] = 5;
  profile.samples[Dropped::kNotCode] = 1;
  profile.branches.seen = profile.branches.used = 288;
  profile.lost = 2;
  EXPECT_EQ(dump_normalized(profile), R"(event branches period 1009 samples 3
event cycles:u frequency 4000 samples 12
binary - /srv/old
binary 0123456789abcdef /srv/server
  trace 1010 1040 1058 7
  trace 1058 - - 1 bolt
  trace - 1000 1010 2 llvm
  mispredict 1010 1040 3
  pc 1044 samples 4 weight 4000
  call 1077 1044 3000 leaf
  call 10aa 1077 3500
samples seen 15 used 7 pending 2 kernel 5 not-code 1
branches seen 288 used 288
lost 2
)");
}

TEST(AddressProfile, NormalizeAddsUpEqualKeysOnly) {
  AddressProfile profile;
  BinaryCounts counts = binary("0123456789abcdef", "a");
  counts.traces = {{at(2), at(3), at(4), TraceReading::kBoth, 10},
                   {at(1), at(3), at(4), TraceReading::kBoth, 1},
                   {at(2), at(3), at(4), TraceReading::kBoth, 5},
                   {at(2), at(3), {}, TraceReading::kBoth, 3},
                   {at(2), at(3), at(4), TraceReading::kLlvm, 2}};
  counts.pc_samples = {{ElfAddr{9}, 1, 100}, {ElfAddr{8}, 2, 10}, {ElfAddr{9}, 3, 1}};
  profile.binaries.push_back(counts);
  profile.normalize();
  std::vector<Trace> traces = {{at(1), at(3), at(4), TraceReading::kBoth, 1},
                               {at(2), at(3), at(4), TraceReading::kBoth, 15},
                               {at(2), at(3), at(4), TraceReading::kLlvm, 2},
                               {at(2), at(3), {}, TraceReading::kBoth, 3}};
  std::vector<PcSample> pc_samples = {{ElfAddr{8}, 2, 10}, {ElfAddr{9}, 4, 101}};
  EXPECT_EQ(profile.binaries[0].traces, traces);
  EXPECT_EQ(profile.binaries[0].pc_samples, pc_samples);
  EXPECT_EQ(profile.binaries[0].pc_sample_count(), 6u);
  EXPECT_EQ(profile.binaries[0].pc_sample_weight(), 111u);
}

TEST(AddressProfile, CountsStopAtTheLargestNumber) {
  AddressProfile profile;
  BinaryCounts counts = binary("0123456789abcdef", "a");
  for (uint64_t count : {kMax - 1, uint64_t{5}, uint64_t{7}}) {
    counts.traces.push_back({at(1), at(2), at(3), TraceReading::kBoth, count});
    counts.mispredicts.push_back({at(1), at(2), count});
    counts.pc_samples.push_back({ElfAddr{1}, count, count});
  }
  EXPECT_EQ(counts.pc_sample_count(), kMax);
  EXPECT_EQ(counts.pc_sample_weight(), kMax);
  profile.binaries.push_back(counts);
  profile.lost = kMax;
  AddressProfile other;
  other.lost = 1;
  profile = merged({profile, other});
  EXPECT_EQ(profile.binaries[0].traces[0].count, kMax);
  EXPECT_EQ(profile.binaries[0].mispredicts[0].count, kMax);
  EXPECT_EQ(profile.binaries[0].pc_samples[0], (PcSample{ElfAddr{1}, kMax, kMax}));
  EXPECT_EQ(profile.lost, kMax);
}

TEST(AddressProfile, OneBuildIsOneBinaryWhereverItLies) {
  AddressProfile profile;
  for (const char* path : {"/srv/v1/server", "", "/opt/server"}) {
    BinaryCounts counts = binary("0123456789abcdef", path);
    counts.pc_samples.push_back({ElfAddr{1}, 1, 2});
    profile.binaries.push_back(counts);
  }
  // Without an id the path is all there is.
  profile.binaries.push_back(binary("", "/srv/b"));
  profile.binaries.push_back(binary("", "/srv/a"));
  EXPECT_EQ(dump_normalized(profile), R"(binary - /srv/a
binary - /srv/b
binary 0123456789abcdef /opt/server
  pc 1 samples 3 weight 6
samples seen 0 used 0
branches seen 0 used 0
)");
}

TEST(AddressProfile, SameEventsAddUpAndOtherPeriodsStayApart) {
  AddressProfile profile;
  profile.events = {{"cycles", 5, 1000, false},
                    {"cycles", 5, 99, true},
                    {"cycles", 7, 1000, false},
                    {"cycles", 1, 2000, false}};
  profile.normalize();
  std::vector<EventInfo> expected = {
      {"cycles", 12, 1000, false}, {"cycles", 1, 2000, false}, {"cycles", 5, 99, true}};
  EXPECT_EQ(profile.events, expected);
}

// What is not known of one of them is not known of both, unless the other one has some.
TEST(AddressProfile, EventsHaveBranchRecordsIfOneOfThoseAddedUpHas) {
  auto together = [](std::vector<BranchRecords> each) {
    AddressProfile profile;
    for (const BranchRecords one : each) profile.events.push_back({"cycles", 5, 1000, false, one});
    profile.normalize();
    return profile.events.at(0).branch_records;
  };
  using enum BranchRecords;
  EXPECT_EQ(together({kNone}), kNone);
  EXPECT_EQ(together({kNone, kNone}), kNone);
  EXPECT_EQ(together({kNone, kUnknown}), kUnknown);
  EXPECT_EQ(together({kUnknown, kNone}), kUnknown);
  EXPECT_EQ(together({kNone, kSome}), kSome);
  EXPECT_EQ(together({kSome, kUnknown}), kSome);
}

TEST(AddressProfile, MergingIsTheSameInAnyOrderAndGrouping) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 20; round++) {
    std::vector<AddressProfile> recordings;
    for (unsigned i = 0; i < 6; i++) recordings.push_back(random_recording(round * 100 + i));
    AddressProfile one_by_one = merged(recordings);
    ASSERT_EQ(one_by_one.check(), std::nullopt);

    std::shuffle(recordings.begin(), recordings.end(), random);
    auto split = recordings.begin() + static_cast<ptrdiff_t>(random() % 7);
    std::vector<AddressProfile> rest(split, recordings.end());
    recordings.erase(split, recordings.end());
    rest.push_back(merged(recordings));  // a merge of merges
    AddressProfile right = merged(rest);
    EXPECT_EQ(right, one_by_one);
    EXPECT_EQ(dump(right), dump(one_by_one));
  }
}

TEST(AddressProfile, NormalizeChangesNothingTheSecondTime) {
  AddressProfile profile = random_recording(1);
  profile.normalize();
  AddressProfile again = profile;
  again.normalize();
  EXPECT_EQ(again, profile);
}

TEST(AddressProfile, CheckNamesTheFirstBrokenRule) {
  AddressProfile good;
  good.binaries = {binary("0101010101010101", "a"), binary("0202020202020202", "b")};
  EXPECT_EQ(good.check(), std::nullopt);

  AddressProfile broken = good;
  std::swap(broken.binaries[0], broken.binaries[1]);
  EXPECT_EQ(broken.check(), "binaries are not sorted by unique build ID");
  broken = good;
  broken.binaries[1].id = broken.binaries[0].id;
  EXPECT_EQ(broken.check(), "binaries are not sorted by unique build ID");
  broken = good;
  broken.events = {{"cycles", 1, 1, false}, {"cycles", 2, 1, false}};
  EXPECT_EQ(broken.check(), "events are not sorted by unique name");
  broken = good;
  broken.binaries[1].traces = {{at(2), at(1), {}, TraceReading::kBoth, 1},
                               {at(1), at(1), {}, TraceReading::kBoth, 1}};
  EXPECT_EQ(broken.check(), "traces are not sorted by unique key");
  broken = good;
  broken.binaries[0].mispredicts = {{at(1), at(1), 1}, {at(1), at(1), 2}};
  EXPECT_EQ(broken.check(), "mispredicts are not sorted by unique key");
  broken = good;
  broken.binaries[0].calls = {{ElfAddr{2}, ElfAddr{1}, false, 1},
                              {ElfAddr{2}, ElfAddr{1}, false, 1}};
  EXPECT_EQ(*broken.check(), "calls are not sorted by unique key");
  broken.binaries[0].pc_samples = {{ElfAddr{2}, 1, 1}, {ElfAddr{1}, 1, 1}};
  EXPECT_EQ(broken.check(), "PC samples are not sorted by unique address");
  broken = good;
  broken.binaries[0].traces = {{{}, {}, at(1), TraceReading::kBoth, 1}};
  EXPECT_EQ(broken.check(), "a trace has both ends outside its binary");
  broken = good;
  broken.samples.seen = 1;
  EXPECT_EQ(broken.check(), "samples: seen 1, but used, pending and dropped add up to 0");
  broken = good;
  broken.branches.used = 1;
  EXPECT_EQ(broken.check(), "branches: seen 0, but used, pending and dropped add up to 1");
}

TEST(OptElfAddr, SortsNothingLast) {
  EXPECT_LT(at(kMax - 1), OptElfAddr());
  EXPECT_EQ(OptElfAddr(), OptElfAddr());
  EXPECT_TRUE(at(0).has_value());
  EXPECT_FALSE(OptElfAddr());
}

}  // namespace
}  // namespace pgo::address_profile_test
