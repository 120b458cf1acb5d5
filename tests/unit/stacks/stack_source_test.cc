#include "pgo/stacks/stack_source.h"

#include <gtest/gtest.h>

#include <sstream>

#include "converters/address/address_profile_writer.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/small_profiles.h"
#include "tests/data/temporary_files.h"

namespace pgo::stack_source_test {
namespace {

using test::ByteVector;
using test::PerfDataBuilder;

const std::string kId = "0011223344556677889900112233445566778899";

class StackSourceTest : public test::TemporaryFiles {
 protected:
  // Its dump, or its error without the directory.
  std::string read(std::string_view contents, const StackSourceOptions& options = {}) const {
    const InputBytes bytes = InputBytes::open(write("input", contents)).value();
    Result<StackSource> source = read_stack_source(bytes, options);
    if (!source) return text_of(source.error());
    std::ostringstream text;
    EXPECT_EQ(source->profile.check(), std::nullopt);
    source->profile.dump(text);
    for (const auto& [kind, entry] : source->diagnostics.entries()) text << '(' << kind << ")\n";
    return text.str();
  }
};

std::string recording() {
  PerfDataBuilder perf;
  perf.event({.type = PERF_TYPE_SOFTWARE,
              .config = PERF_COUNT_SW_CPU_CLOCK,
              .sample_period = 1000,
              .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                             PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER,
              .flags = test::kFlagSampleIdAll,
              .ids = {77},
              .name = "cpu-clock"});
  perf.event_desc().comm({.pid = 10, .time = 1, .name = "server"});
  perf.mmap2({.pid = 10,
              .time = 2,
              .addr = 0x401000,
              .len = 0x2000,
              .pgoff = 0x1000,
              .path = "/bin/server",
              .build_id = kId});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401010, .period = 1000});
  perf.sample({.pid = 10, .time = 20, .ip = 0x401010, .period = 1000});
  ByteVector file = perf.file();
  return {file.begin(), file.end()};
}

AddressProfile address_profile() {
  return test::pc_sample_profile(kId, "/bin/server",
                                 {{ElfAddr{0x1010}, 2, 2000}, {ElfAddr{0x1020}, 1, 1000}});
}

TEST_F(StackSourceTest, ReadsTheStacksOfARecording) {
  EXPECT_EQ(read(recording()),
            "types samples/count cpu-clock/nanoseconds\n"
            "period 1000 cpu-clock/nanoseconds\n"
            "time 0 duration 10\n"
            "mapping 401000 403000 1000 /bin/server " +
                kId +
                "\n"
                "sample 2 2000 comm=\"server\"\n"
                "    401010 in /bin/server\n");
}

TEST_F(StackSourceTest, KnowsWhetherEventsCountBranches) {
  auto is_of_branches = [&](std::vector<EventInfo> events) {
    AddressProfile profile = address_profile();
    profile.events = std::move(events);
    profile.normalize();
    const std::string path = write("input", write_address_profile(profile).value());
    return read_stack_source(InputBytes::open(path).value(), {})->of_branches;
  };
  const EventInfo branches{.name = "branches:u", .samples = 3},
      cycles{.name = "cycles:u", .samples = 3};
  EXPECT_TRUE(is_of_branches({branches}));
  EXPECT_TRUE(is_of_branches({branches, {.name = "cycles:u"}}));
  EXPECT_FALSE(is_of_branches({branches, cycles}));
  EXPECT_FALSE(is_of_branches({{.name = "branches:u"}}));
}

TEST_F(StackSourceTest, ChoosesSamplesOfARecording) {
  StackSourceOptions options;
  options.samples.time = {15, 30};
  const std::string text = read(recording(), options);
  EXPECT_NE(text.find("\nsample 1 1000 comm"), std::string::npos) << text;
}

TEST_F(StackSourceTest, MakesStacksOfPcSamples) {
  EXPECT_EQ(read(write_address_profile(address_profile()).value()),
            "types samples/count weight/count\n"
            "period 0 /\n"
            "time 0 duration 0\n"
            "mapping 0 0 0 /bin/server " +
                kId +
                "\n"
                "sample 2 2000\n"
                "    1010 in /bin/server\n"
                "sample 1 1000\n"
                "    1020 in /bin/server\n");
}

// What an address profile only counts is part of the cost: a release may have moved it there.
TEST_F(StackSourceTest, KeepsOtherCodeOfAddressProfiles) {
  AddressProfile profile = address_profile();
  profile.samples[Dropped::kKernel] = 4;
  profile.samples[Dropped::kOtherBinary] = 1;
  profile.samples[Dropped::kBuildIdMismatch] = 2;
  profile.samples[Dropped::kFiltered] = 5;
  profile.samples.seen += 12;
  const std::string text = read(write_address_profile(profile).value());
  EXPECT_EQ(text.substr(text.find("sample 4")),
            "sample 4 4000\n    0: [kernel]:0\nsample 3 3000\n    0: [other binaries]:0\n");
  // Whether these have branch records is not known.
  profile.events = {{.name = "cycles", .samples = 3, .branch_records = BranchRecords::kSome}};
  const std::string of_records = read(write_address_profile(profile).value());
  EXPECT_EQ(of_records.find("[kernel]"), of_records.npos) << of_records;
}

// As perf.data does, so that both can be on one side of a comparison.
TEST_F(StackSourceTest, NamesTheEventOfAddressProfiles) {
  auto type_of = [&](std::vector<EventInfo> events) {
    AddressProfile profile = address_profile();
    profile.events = std::move(events);
    profile.normalize();
    const std::string text = read(write_address_profile(profile).value());
    return text.substr(0, text.find("time "));
  };
  const EventInfo clock{.name = "cpu-clock", .samples = 3, .period = 1000},
      steps{.name = "stepped-branches:u", .samples = 2, .branch_records = BranchRecords::kSome};
  const std::string of_clock =
      "types samples/count cpu-clock/nanoseconds\nperiod 1000 cpu-clock/nanoseconds\n";
  EXPECT_EQ(type_of({clock}), of_clock);
  EXPECT_EQ(type_of({clock, steps}), of_clock);
  EXPECT_EQ(type_of({{.name = "cycles:u", .samples = 3, .period = 99, .is_frequency = true}}),
            "types samples/count cycles:u/count\nperiod 0 cycles:u/count\n");
  EXPECT_EQ(type_of({{.name = "cpu_core/cycles/u", .samples = 2, .period = 9},
                     {.name = "cpu_atom/cycles/u", .samples = 1, .period = 9}}),
            "types samples/count cycles/count\nperiod 9 cycles/count\n");
  EXPECT_EQ(type_of({clock, {.name = "cycles", .samples = 1}}),
            "types samples/count weight/count\nperiod 0 /\n");
}

TEST_F(StackSourceTest, RefusesBranchRecords) {
  AddressProfile profile = address_profile();
  profile.binaries[0].pc_samples.clear();
  profile.binaries[0].traces = {{ElfAddr{0x1010}, ElfAddr{0x1000}, ElfAddr{0x1010}, {}, 3}};
  profile.samples.used = profile.samples.pending;
  profile.samples.pending = 0;
  EXPECT_EQ(read(write_address_profile(profile).value()),
            "input: has branch records and no PC samples; branch records count how often branches "
            "were taken, not what code costs; give the recordings themselves, or address profiles "
            "of recordings without branch records");
}

TEST_F(StackSourceTest, SaysThatBranchRecordsAreNotUsedBesidePcSamples) {
  AddressProfile profile = address_profile();
  profile.binaries[0].traces = {{ElfAddr{0x1010}, ElfAddr{0x1000}, ElfAddr{0x1010}, {}, 3}};
  const std::string text = read(write_address_profile(profile).value());
  EXPECT_TRUE(text.ends_with("    1020 in /bin/server\n(branch-records)\n")) << text;
}

TEST_F(StackSourceTest, ReadsFoldedStacks) {
  EXPECT_EQ(read("main;work 3\n"),
            "types samples/count\n"
            "period 0 /\n"
            "time 0 duration 0\n"
            "function main  :0\n"
            "function work  :0\n"
            "sample 3\n"
            "    0: work:0\n"
            "    0: main:0\n");
}

TEST_F(StackSourceTest, RefusesAChoiceOfProcessesWhereThereAreNone) {
  StackSourceOptions options;
  options.samples.pids = {1};
  EXPECT_EQ(read("main;work 3\n", options),
            "input: is a stack profile, to which \xFF{pid} does not apply; name only the inputs "
            "that you want to use");
}

TEST_F(StackSourceTest, RefusesOtherFormats) {
  EXPECT_EQ(read("main:10:0\n 1: 10\n"),
            "input: is an LLVM sample profile, which does not say what code costs: a recording "
            "(perf.data), a stack profile (pprof, gperftools, folded stacks) or an address profile "
            "of PC samples does; ");
  EXPECT_EQ(read(""), "input: is empty; was it cut short, or never finished?; ");
}

}  // namespace
}  // namespace pgo::stack_source_test
