#include "pgo/profile/address_merger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace pgo::address_merger_test {
namespace {

constexpr uint64_t kMax = ~uint64_t{0};

AddressProfile random_profile(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](uint64_t n) { return uint64_t{random()} % n; };
  auto addr = [&] { return ElfAddr{0x1000 + below(6)}; };
  auto maybe = [&] { return below(4) == 0 ? OptElfAddr() : OptElfAddr(addr()); };
  auto count = [&] { return below(20) == 0 ? kMax : 1 + below(100); };
  AddressProfile profile;
  for (uint64_t b = 0; b < 1 + below(3); b++) {
    const char* ids[] = {"0101010101010101", "0202020202020202", ""};
    BinaryCounts counts;
    counts.id = BuildId::from_hex(ids[below(3)]).value_or(BuildId());
    counts.path_hint = "/srv/bin/" + std::to_string(below(2));
    for (uint64_t i = 0; i < below(20); i++)
      counts.traces.push_back(
          {addr(), maybe(), maybe(), static_cast<TraceReading>(below(3)), count()});
    for (uint64_t i = 0; i < below(9); i++)
      counts.mispredicts.push_back({maybe(), addr(), count()});
    for (uint64_t i = 0; i < below(9); i++) counts.pc_samples.push_back({addr(), count(), count()});
    for (uint64_t i = 0; i < below(9); i++)
      counts.calls.push_back({addr(), addr(), below(2) == 0, count()});
    profile.binaries.push_back(std::move(counts));
  }
  profile.events.push_back(
      {below(2) == 0 ? "cycles" : "branches", below(99), 1000 * below(2), true});
  profile.samples.used = below(1000);
  profile.samples.pending = below(100);
  profile.samples[Dropped::kKernel] = below(10);
  profile.samples.seen =
      profile.samples.used + profile.samples.pending + profile.samples[Dropped::kKernel];
  profile.branches.seen = profile.branches.used = 32 * profile.samples.used;
  profile.lost = below(3);
  profile.diagnostics.warn("unknown-record", "type " + std::to_string(below(9)));
  profile.normalize();
  return profile;
}

std::vector<AddressProfile> random_profiles(unsigned seed) {
  std::vector<AddressProfile> profiles;
  for (unsigned i = 0; i < 8; i++) profiles.push_back(random_profile(100 * seed + i));
  return profiles;
}

AddressProfile merged(const std::vector<AddressProfile>& profiles,
                      const std::vector<MergeFactor>& factors = {}) {
  AddressMerger merger;
  for (size_t i = 0; i < profiles.size(); i++)
    merger.add(profiles[i], factors.empty() ? MergeFactor() : factors[i]);
  AddressProfile all = std::move(merger).finish();
  EXPECT_EQ(all.check(), std::nullopt);
  return all;
}

// All rows of a binary in one table, each added up by itself.
std::vector<BinaryCounts> add_rows(const std::vector<AddressProfile>& profiles) {
  std::map<std::pair<BuildId, std::string>, BinaryCounts> binaries;
  auto append = [](auto& into, const auto& from) {
    into.insert(into.end(), from.begin(), from.end());
  };
  for (const AddressProfile& profile : profiles)
    for (const BinaryCounts& counts : profile.binaries) {
      BinaryCounts& sum = binaries[{counts.id, counts.id.empty() ? counts.path_hint : ""}];
      sum.id = counts.id;
      if (sum.path_hint.empty() || counts.path_hint < sum.path_hint)
        sum.path_hint = counts.path_hint;
      append(sum.traces, counts.traces);
      append(sum.mispredicts, counts.mispredicts);
      append(sum.pc_samples, counts.pc_samples);
      append(sum.calls, counts.calls);
    }
  std::vector<BinaryCounts> sums;
  for (auto& [binary_key, sum] : binaries) {
    sum.normalize();
    sums.push_back(sum);
  }
  return sums;
}

TEST(AddressMerger, AddsUpEachRow) {
  for (unsigned seed = 0; seed < 50; seed++) {
    std::vector<AddressProfile> profiles = random_profiles(seed);
    AddressProfile all = merged(profiles);
    ASSERT_EQ(all.binaries, add_rows(profiles)) << seed;
    Accounting samples, branches;
    uint64_t lost = 0, of_events = 0;
    for (const AddressProfile& profile : profiles) {
      samples.add(profile.samples);
      branches.add(profile.branches);
      lost += profile.lost;
      for (const EventInfo& event : profile.events) of_events += event.samples;
    }
    EXPECT_EQ(all.samples, samples);
    EXPECT_EQ(all.branches, branches);
    EXPECT_EQ(all.lost, lost);
    for (const EventInfo& event : all.events) of_events -= event.samples;
    EXPECT_EQ(of_events, 0u);
  }
}

TEST(AddressMerger, NeitherOrderNorGroupsMatter) {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 50; seed++) {
    std::vector<AddressProfile> profiles = random_profiles(seed);
    std::vector<size_t> order(profiles.size());
    for (size_t i = 0; i < order.size(); i++) order[i] = i;
    std::vector<MergeFactor> factors;
    for (size_t i = 0; i < profiles.size(); i++) factors.push_back({random()});
    AddressProfile expected = merged(profiles, factors);
    std::shuffle(order.begin(), order.end(), random);
    AddressMerger first, second;
    for (size_t i : order) (i % 3 == 0 ? first : second).add(profiles[i], factors[i]);
    second.add(std::move(first));
    ASSERT_EQ(std::move(second).finish(), expected) << seed;
  }
}

TEST(AddressMerger, NothingChangesNothing) {
  AddressProfile profile = random_profile(5);
  EXPECT_EQ(merged({profile, {}, {}}), profile);
  EXPECT_EQ(merged({profile}), profile);
  EXPECT_EQ(merged({}), AddressProfile());
}

TEST(AddressMerger, AFactorOfTwoIsTwice) {
  AddressProfile profile = random_profile(6);
  profile.diagnostics = {};
  EXPECT_EQ(merged({profile}, {MergeFactor::of(2, 1)}), merged({profile, profile}));
}

TEST(AddressMerger, RoundsSumsOnce) {
  AddressProfile profile;
  BinaryCounts counts;
  counts.pc_samples = {{ElfAddr{1}, 5, 1}, {ElfAddr{2}, 1, 3}, {ElfAddr{3}, 2, kMax}};
  profile.binaries.push_back(counts);
  profile.events.push_back({"cycles", 3, 1, false});
  profile.samples.used = 1;
  profile.samples.pending = 5;
  profile.samples[Dropped::kKernel] = 3;
  profile.samples.seen = 9;
  profile.lost = 5;
  MergeFactor half = MergeFactor::of(1, 2), quarter = MergeFactor::of(1, 4);
  AddressProfile all = merged({profile}, {half});
  std::vector<PcSample> halves = {
      {ElfAddr{1}, 3, 1}, {ElfAddr{2}, 1, 2}, {ElfAddr{3}, 1, kMax / 2 + 1}};
  EXPECT_EQ(all.binaries[0].pc_samples, halves);
  EXPECT_EQ(all.events[0].samples, 2u);
  EXPECT_EQ(all.samples.used, 1u);
  EXPECT_EQ(all.samples.pending, 3u);
  EXPECT_EQ(all.samples[Dropped::kKernel], 2u);
  EXPECT_EQ(all.samples.seen, 6u);
  EXPECT_EQ(all.lost, 3u);
  // 1/4 + 1/4 is rounded as 1/2 is; 1/4 alone comes to 0.
  all = merged({profile, profile}, {quarter, quarter});
  EXPECT_EQ(all.binaries[0].pc_samples, halves);
  all = merged({profile}, {quarter});
  std::vector<PcSample> quarters = {
      {ElfAddr{1}, 1, 0}, {ElfAddr{2}, 0, 1}, {ElfAddr{3}, 1, kMax / 4 + 1}};
  EXPECT_EQ(all.binaries[0].pc_samples, quarters);
  EXPECT_TRUE(merged({profile}, {MergeFactor::of(0, 1)}).binaries[0].pc_samples.empty());
}

TEST(AddressMerger, SumsStopAtTheLargest) {
  AddressProfile profile;
  BinaryCounts counts;
  counts.pc_samples = {{ElfAddr{1}, kMax, kMax}};
  profile.binaries.push_back(counts);
  MergeFactor most = MergeFactor::of(WideFactor{1} << 40, 1);
  AddressProfile all =
      merged({profile, profile, profile, profile, profile}, {most, most, most, most, most});
  EXPECT_EQ(all.binaries[0].pc_samples[0], (PcSample{ElfAddr{1}, kMax, kMax}));
}

}  // namespace
}  // namespace pgo::address_merger_test
