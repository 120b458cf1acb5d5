#include "pgo/elf/stack_samples.h"

#include <gtest/gtest.h>

#include <sstream>

#include "pgo/profile/quality.h"
#include "pgo/profile/sample_value.h"
#include "tests/data/elf_builder.h"

namespace pgo::stack_samples_test {
namespace {

constexpr uint64_t kText = 0x1200, kBias = 0x555555554000;
const std::string kId = "0011223344556677889900112233445566778899";

struct Server {
  std::vector<uint8_t> file;
  std::optional<ElfImage> image;

  Server() {
    ElfBuilder elf;
    elf.add_build_id(*BuildId::from_hex(kId));
    std::string code(64, '\x90');
    uint64_t offset = elf.add_code(kText, code);
    text_offset = offset;
    file = elf.finish();
    image = ElfImage::parse(file, "/build/server").value();
  }
  uint64_t text_offset = 0;
};

struct Sample {
  uint64_t address = 0;
  int64_t value = 0;
};

// A profile of one mapping; `begin` is where .text's file position is mapped.
StackProfile profile_of(const Server& server, const std::vector<Sample>& samples, uint64_t begin,
                        uint64_t end, const std::string& id = kId,
                        const std::string& path = "/srv/server") {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  StackMapping mapping;
  mapping.filename = profile.strings.add(path);
  mapping.build_id = profile.strings.add(id);
  mapping.begin = RuntimeAddr{begin};
  mapping.end = RuntimeAddr{end};
  mapping.file_offset = FileOffset{begin == 0 ? 0 : server.text_offset};
  MappingId the_mapping = profile.add_mapping(mapping);
  for (const Sample& sample : samples) {
    LocationId leaf = profile.add_location({the_mapping, RuntimeAddr{sample.address}}, {});
    profile.add_sample({profile.add_stack({leaf}), profile.add_labels({})}, {sample.value});
  }
  return profile;
}

Result<AddressProfile> profile_from(const StackProfile& stacks, const Server& server,
                                    const std::string& sample_type, const std::string& name) {
  PGO_TRY(StackCounts counts, count_stack_samples(stacks, {&*server.image}, sample_type, name));
  return std::move(counts.profile);
}

std::string counted(const StackProfile& profile, const Server& server,
                    const std::string& sample_type = "") {
  Result<AddressProfile> result = profile_from(profile, server, sample_type, "p.pb.gz");
  if (!result) return result.error().message;
  std::ostringstream text;
  for (const PcSample& sample : result->binaries[0].pc_samples) {
    text << std::hex << sample.pc.value << std::dec << " x" << sample.samples;
    if (sample.weight != sample.samples) text << " weight " << sample.weight;
    text << " ";
  }
  for (size_t i = 0; i < kDroppedCount; i++)
    if (Dropped reason{static_cast<uint8_t>(i)}; result->samples[reason] != 0)
      text << dropped_name(reason) << " " << result->samples[reason] << " ";
  EXPECT_EQ(result->samples.check(), std::nullopt);
  for (const auto& [kind, entry] : result->diagnostics.entries()) text << "(" << kind << ")";
  return text.str();
}

// What is of no image is told apart by its mapping.
TEST(StackSamples, CountsOtherMappings) {
  Server server;
  StackProfile profile = profile_of(server, {{kBias, 3}, {kBias + 4, 4}}, kBias, kBias + 64,
                                    "ffffffffffffffffffffffffffffffffffffffff", "/srv/other.so");
  StackCounts counts = count_stack_samples(profile, {&*server.image}, "", "p.pb.gz").value();
  EXPECT_EQ(counts.others, std::vector<uint64_t>{7});
  EXPECT_EQ(counts.profile.samples[Dropped::kOtherBinary], 7u);
  profile = profile_of(server, {{kBias, 3}}, kBias, kBias + 64);
  EXPECT_EQ(count_stack_samples(profile, {&*server.image}, "", "p.pb.gz")->others,
            std::vector<uint64_t>{0});
}

TEST(StackSamples, LeadAddressesOfTheProcessThroughTheirMapping) {
  Server server;
  uint64_t begin = kBias + 0x1000;
  StackProfile profile =
      profile_of(server, {{begin + 4, 3}, {begin + 8, 2}, {begin + 4, 1}, {begin + 0x100, 5}},
                 begin, begin + 0x1000);
  EXPECT_EQ(counted(profile, server), "1204 x4 1208 x2 not-code 5 ");
}

TEST(StackSamples, TakeAddressesOfTheFileAsTheyAre) {
  Server server;
  StackProfile whole = profile_of(server, {{kText + 4, 3}, {7, 1}}, 0, ~uint64_t{0});
  EXPECT_EQ(counted(whole, server), "1204 x3 not-code 1 ");
  StackProfile beside = profile_of(server, {{kText + 4, 3}}, kBias, kBias + 0x1000);
  EXPECT_EQ(counted(beside, server), "1204 x3 ");
}

TEST(StackSamples, KeepBuildsApart) {
  Server server;
  std::string other(40, 'a');
  auto of = [&](const std::string& id, const std::string& path) {
    return counted(profile_of(server, {{kText, 2}}, 0, ~uint64_t{0}, id, path), server);
  };
  EXPECT_EQ(of(kId, "/srv/renamed"), "1200 x2 ");
  EXPECT_EQ(of(kId.substr(0, 16), "/srv/server"), "1200 x2 ");
  EXPECT_EQ(of(other, "/srv/server"), "build-id-mismatch 2 ");
  EXPECT_EQ(of(other, "/srv/another"), "other-binary 2 ");
  EXPECT_EQ(of("", "/srv/another"), "other-binary 2 ");
  EXPECT_EQ(of("", "/srv/server"), "1200 x2 (matched-by-name)");
  EXPECT_EQ(of("", ""), "anonymous 2 ");
  EXPECT_EQ(of("", "[kernel.kallsyms]_text"), "kernel 2 ");
  EXPECT_EQ(of("", "[vdso]"), "vdso 2 ");
}

TEST(StackSamples, TellWhoCalledWhom) {
  Server server;
  StackProfile profile = profile_of(server, {}, 0, ~uint64_t{0});
  MappingId mapping{0}, other = profile.add_mapping({});
  auto at = [&](uint64_t address) {
    return profile.add_location({mapping, RuntimeAddr{address}}, {});
  };
  LocationId leaf = at(kText), outer = at(kText + 20), loop = at(kText + 40);
  LocationId elsewhere = profile.add_location({other, RuntimeAddr{0x9000}}, {});
  LabelsId none = profile.add_labels({});
  auto add = [&](std::initializer_list<LocationId> stack, int64_t value) {
    profile.add_sample({profile.add_stack(stack), none}, {value});
  };
  add({leaf, outer}, 3);
  add({leaf, loop, loop, loop, outer}, 5);  // calls itself
  add({outer, leaf}, 2);
  // Time of a library is its caller's too, but what is beyond it calls nobody of ours.
  add({elsewhere, leaf, outer, elsewhere, loop}, 7);
  Result<AddressProfile> result = profile_from(profile, server, "", "p.pb.gz");
  ASSERT_TRUE(result.has_value());
  std::ostringstream text;
  for (const CallEdge& call : result->binaries[0].calls)
    text << std::hex << call.caller.value << ">" << call.callee.value << std::dec << " x"
         << call.count << (call.is_leaf ? " leaf, " : ", ");
  EXPECT_EQ(text.str(),
            "1200>1214 x2 leaf, 1214>1200 x7, 1214>1200 x3 leaf, 1214>1228 x5, 1228>1200 x5 leaf, "
            "1228>1228 x5, ");
}

TEST(StackSamples, WeighSamplesByTheTimeTheyStandFor) {
  Server server;
  StackProfile profile = profile_of(
      server, {{kText, 30'000'000}, {kText + 1, 14'000'000}, {kText + 2, 1}, {kText + 3, -5}}, 0,
      ~uint64_t{0});
  profile.sample_types = {{profile.strings.add("cpu"), profile.strings.add("nanoseconds")}};
  profile.period_type = profile.sample_types[0];
  profile.period = 10'000'000;
  EXPECT_EQ(counted(profile, server),
            "1200 x3 weight 30000000 1201 x2 weight 14000000 1202 x0 weight 1 (negative-values)");
  EXPECT_EQ(counted(profile, server, "cpu"),
            "1200 x3 weight 30000000 1201 x2 weight 14000000 1202 x0 weight 1 (negative-values)");
}

// What is counted is samples, and the period says what each stands for.
TEST(StackSamples, TakeThePeriodForTheWeight) {
  Server server;
  StackProfile profile = profile_of(server, {{kText, 3}}, 0, ~uint64_t{0});
  auto with_period = [&](int64_t period, const char* unit) {
    profile.period_type = {profile.strings.add("cpu"), profile.strings.add(unit)};
    profile.period = period;
    return counted(profile, server);
  };
  EXPECT_EQ(with_period(250'007, "nanoseconds"), "1200 x3 weight 750021 ");
  EXPECT_EQ(with_period(10, "milliseconds"), "1200 x3 weight 30000000 ");
  // No time, or none that makes sense.
  EXPECT_EQ(with_period(1'000'003, "count"), "1200 x3 ");
  EXPECT_EQ(with_period(0, "nanoseconds"), "1200 x3 ");
  EXPECT_EQ(with_period(-7, "nanoseconds"), "1200 x3 ");
  EXPECT_EQ(with_period(1, "nanoseconds"), "1200 x3 ");
  EXPECT_EQ(with_period(~int64_t{0} ^ (int64_t{1} << 63), "seconds"), "1200 x3 ");
}

// Of a profile that was merged from several: the period is the largest of theirs.
TEST(StackSamples, TakeTheTimeBesideTheSamplesForTheirWeight) {
  Server server;
  StackProfile profile = profile_of(server, {}, 0, ~uint64_t{0});
  profile.sample_types = {{profile.strings.add("cpu"), profile.strings.add("milliseconds")},
                          {profile.strings.add("wall"), profile.strings.add("milliseconds")},
                          {profile.strings.add("samples"), profile.strings.add("count")}};
  profile.period_type = profile.sample_types[0];
  profile.period = 10;
  auto add = [&](uint64_t address, std::vector<int64_t> values) {
    LocationId leaf = profile.add_location({MappingId{0}, RuntimeAddr{address}}, {});
    profile.add_sample({profile.add_stack({leaf}), profile.add_labels({})}, values);
  };
  add(kText, {30, 99, 3});
  add(kText + 1, {3, 99, 3});
  // Without time: of a producer that has none for this sample.
  add(kText + 2, {0, 99, 3});
  EXPECT_EQ(counted(profile, server),
            "1200 x3 weight 30000000 1201 x3 weight 3000000 1202 x3 weight 30000000 ");
  EXPECT_EQ(counted(profile, server, "cpu"), "1200 x3 weight 30000000 1201 x1 weight 3000000 ");
  EXPECT_EQ(profile_from(profile, server, "", "p")->samples.seen, 9u);
}

// Of a profile that was merged with a small weight: counts are rounded to 0, and their time is not.
TEST(StackSamples, AreKnownByTheirTimeWhereTheirCountIsZero) {
  Server server;
  StackProfile profile = profile_of(server, {}, 0, ~uint64_t{0});
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")},
                          {profile.strings.add("cpu"), profile.strings.add("milliseconds")}};
  auto add = [&](uint64_t address, std::vector<int64_t> values) {
    LocationId leaf = profile.add_location({MappingId{0}, RuntimeAddr{address}}, {});
    profile.add_sample({profile.add_stack({leaf}), profile.add_labels({})}, values);
  };
  add(kText, {4, 40});
  add(kText + 1, {0, 4});
  add(kText + 2, {0, 35});
  add(kText + 3, {0, 0});
  add(kText + 4, {0, -5});
  add(kText + 5, {-5, 5});
  auto seen = [&] { return profile_from(profile, server, "", "p.pb.gz")->samples.seen; };
  EXPECT_EQ(
      counted(profile, server),
      "1200 x4 weight 40000000 1201 x1 weight 4000000 1202 x3 weight 35000000 (negative-values)");
  EXPECT_EQ(seen(), 4u + 4);  // 39 ms; without a period, by what those that are counted took
  profile.period_type = profile.sample_types[1];
  profile.period = 5;
  EXPECT_EQ(
      counted(profile, server),
      "1200 x4 weight 40000000 1201 x1 weight 4000000 1202 x7 weight 35000000 (negative-values)");
  EXPECT_EQ(seen(), 4u + 8);
}

// However many stacks they are in: weights make a profile no better.
TEST(StackSamples, AreAsManyAsTheirTimeTogetherPaysFor) {
  Server server;
  StackProfile profile = profile_of(server, {}, 0, ~uint64_t{0});
  profile.period_type = {profile.strings.add("cpu"), profile.strings.add("milliseconds")};
  profile.period = 10;
  for (uint64_t i = 0; i < 15; i++) {
    LocationId leaf = profile.add_location({MappingId{0}, RuntimeAddr{kText + i}}, {});
    StackSample sample{profile.add_stack({leaf}), profile.add_labels({})};
    profile.samples.push_back(sample);
    for (int64_t value : {0, 3}) profile.values.push_back(value);
  }
  auto check = [&] {
    Result<AddressProfile> result = profile_from(profile, server, "", "p.pb.gz");
    EXPECT_EQ(result->samples.seen, 5u);  // 45 ms
    EXPECT_EQ(result->binaries[0].pc_samples.size(), 15u);
    for (const PcSample& sample : result->binaries[0].pc_samples)
      EXPECT_EQ(sample.weight, 3'000'000u);
  };
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")},
                          profile.period_type};
  check();
  profile.sample_types[0] = {profile.strings.add("wall"), profile.strings.add("count")};
  check();
}

// Differences of profiles have values below 0. No part of such a sample counts, and all are told.
TEST(StackSamples, SayHowManyAreNegative) {
  Server server;
  StackProfile profile = profile_of(server, {}, 0, ~uint64_t{0});
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")},
                          {profile.strings.add("cpu"), profile.strings.add("nanoseconds")}};
  auto add = [&](uint64_t address, std::vector<int64_t> values) {
    LocationId leaf = profile.add_location({MappingId{0}, RuntimeAddr{address}}, {});
    profile.add_sample({profile.add_stack({leaf}), profile.add_labels({})}, values);
  };
  add(kText, {3, 30});
  add(kText + 1, {-4, 5});
  add(kText + 2, {2, -5});
  Result<AddressProfile> result = profile_from(profile, server, "", "p.pb.gz");
  EXPECT_EQ(counted(profile, server), "1200 x3 weight 30 (negative-values)");
  EXPECT_EQ(result->samples.seen, 3u);
  EXPECT_EQ(result->diagnostics.entries().at("negative-values").messages,
            std::vector<std::string>{
                "p.pb.gz: left out 2 samples with negative values (-2 in all, of samples/count); "
                "is it a difference of profiles? Convert the profiles themselves"});
}

TEST(StackSamples, TakeTheSmallestTimeForASampleWithoutAPeriod) {
  Server server;
  StackProfile profile =
      profile_of(server, {{kText, 30}, {kText + 1, 10}, {kText + 2, -5}}, 0, ~uint64_t{0});
  profile.sample_types = {{profile.strings.add("cpu"), profile.strings.add("milliseconds")}};
  EXPECT_EQ(counted(profile, server),
            "1200 x3 weight 30000000 1201 x1 weight 10000000 (negative-values)(no-period)");
  Result<AddressProfile> result = profile_from(profile, server, "", "p.pb.gz");
  EXPECT_EQ(result->samples.seen, 4u);
  EXPECT_EQ(result->diagnostics.entries().at("no-period").messages[0],
            "p.pb.gz: counts time but has no sampling period; 10 milliseconds, its smallest value, "
            "is assumed");
}

TEST(StackSamples, RefuseWhatIsNoCpuTimeUnlessItIsNamed) {
  Server server;
  StackProfile profile = profile_of(server, {{kText, 3}}, 0, ~uint64_t{0});
  auto of_type = [&](const char* type, const std::string& wanted) {
    profile.sample_types = {{profile.strings.add(type), profile.strings.add("count")}};
    return counted(profile, server, wanted);
  };
  for (const char* type : {"inuse_space", "goroutine", "contentions", "off_cpu", "wall"}) {
    EXPECT_EQ(of_type(type, ""), "p.pb.gz: has no samples of CPU time; it has:\n  " +
                                     std::string(type) +
                                     "  (count)\n  name what to count with \xFF{event}");
    EXPECT_EQ(of_type(type, type), "1200 x3 (not-cpu-time)");
  }
  for (const char* type : {"", "cycles", "process_cpu"}) EXPECT_EQ(of_type(type, ""), "1200 x3 ");
  for (const char* type : {"samples", "cpu", "cycles"}) EXPECT_EQ(of_type(type, type), "1200 x3 ");
  profile.sample_types = {{profile.strings.add("wall"), profile.strings.add("count")}};
  Result<AddressProfile> waiting = profile_from(profile, server, "wall", "p.pb.gz");
  EXPECT_EQ(waiting->diagnostics.entries().at("not-cpu-time").messages[0],
            "p.pb.gz: wall is not known to be CPU time: memory and waiting times do not show how "
            "often code runs");
}

// What "samples" are of, their period says.
TEST(StackSamples, AreOfNoCpuTimeByAPeriodOfWaiting) {
  Server server;
  StackProfile profile = profile_of(server, {{kText, 3}}, 0, ~uint64_t{0});
  profile.period_type = {profile.strings.add("off_cpu"), profile.strings.add("nanoseconds")};
  EXPECT_EQ(counted(profile, server),
            "p.pb.gz: has no samples of CPU time; it has:\n  samples  (count)\n  by a period of "
            "off_cpu\n  name what to count with \xFF{event}");
  EXPECT_EQ(counted(profile, server, "samples"), "1200 x3 (not-cpu-time)");
  Result<AddressProfile> named = profile_from(profile, server, "samples", "p");
  EXPECT_EQ(named->diagnostics.entries().at("not-cpu-time").messages[0],
            "p: samples by a period of off_cpu is not known to be CPU time: memory and waiting "
            "times do not show how often code runs");
  EXPECT_EQ(named->events[0].name, "off_cpu");
  EXPECT_EQ(named->events[0].branch_records, BranchRecords::kNone);
}

TEST(StackSamples, KnowCpuTimeByTheNameOfTheEvent) {
  for (const char* event :
       {"cpu-clock", "cycles:u", "cycles:ppp", "cpu_core/cycles/u", "cpu/cpu-cycles,period=100003/",
        "ibs_op//p", "samples", "cpu", "", kSteppedEvent.data(), "stepped_branches"})
    EXPECT_TRUE(is_cpu_time(event)) << event;
  for (const char* event : {"page-faults:u", "cpu_core/cache-misses/", "sched:sched_switch",
                            "alloc_space", "off_cpu", "wall", "cycles2"})
    EXPECT_FALSE(is_cpu_time(event)) << event;
}

TEST(StackSamples, SayWhichSampleTypesThereAre) {
  Server server;
  StackProfile profile = profile_of(server, {}, 0, 1);
  EXPECT_EQ(counted(profile, server, "cpu"),
            "p.pb.gz: has no sample type 'cpu'; it has:\n  samples  (count)");
  profile.sample_types = {{profile.strings.add("alloc_space"), profile.strings.add("bytes")},
                          {profile.strings.add("inuse_space"), profile.strings.add("bytes")}};
  EXPECT_EQ(counted(profile, server),
            "p.pb.gz: has no samples of CPU time; it has:\n  alloc_space  (bytes)\n  inuse_space  "
            "(bytes)\n  name what to count with \xFF{event}");
}

TEST(StackSamples, AreUnmappedWithoutAMappingOrAStack) {
  Server server;
  StackProfile profile = profile_of(server, {{kText, 1}}, 0, ~uint64_t{0});
  LocationId nowhere = profile.add_location({kNoMapping, RuntimeAddr{kText}}, {});
  LabelsId none = profile.add_labels({});
  profile.add_sample({profile.add_stack({nowhere}), none}, {2});
  profile.add_sample({profile.add_stack({}), none}, {4});
  EXPECT_EQ(counted(profile, server), "1200 x1 unmapped 6 ");
}

}  // namespace
}  // namespace pgo::stack_samples_test
