// Recordings of perf in a comparison: which events are compared, and which are refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/diff/diff.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"
#include "pgo/stacks/stack_source.h"
#include "tests/data/small_profiles.h"
#include "tests/data/small_stacks.h"
#include "tests/data/stack_recording.h"

namespace pgo::test::recording_difference_test {
namespace {

Event event(uint32_t type, uint64_t config, const char* name, uint64_t id = 77) {
  Event event = clock_event();
  event.type = type;
  event.config = config;
  event.name = name;
  event.ids = {id};
  return event;
}

Event cycles(const char* name) { return event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, name); }

// Samples of each event: so many in the program, by its number; the rest of 100 in the library.
PerfDataBuilder recording(const std::vector<Event>& events, std::vector<size_t> in_program) {
  PerfDataBuilder perf = recording_of(events);
  uint64_t time = 10;
  for (size_t number = 0; number < events.size(); number++)
    for (size_t i = 0; i < 100; i++)
      perf.sample({.pid = 10,
                   .time = time++,
                   .ip = i < in_program[number] ? 0x401234u : 0x7f0010u,
                   .event = number,
                   .period = 1000});
  return perf;
}

class RecordingDifferenceTest : public testing::Test {
 protected:
  Result<DiffResult> compare(const PerfDataBuilder& before, const PerfDataBuilder& after,
                             const std::string& sample_type = "") const {
    DiffRequest request;
    request.sides = {{{write("before.data", before)}, {write("after.data", after)}}};
    request.sample_type = sample_type;
    request.by = RowsBy::kBinary;
    request.wants_merged = true;
    return diff(request);
  }

  std::string error_of(const PerfDataBuilder& before, const PerfDataBuilder& after) const {
    Result<DiffResult> result = compare(before, after);
    return result ? "no error" : relative(result.error().message);
  }

  // Of the profile that read_stacks() makes of a recording.
  void convert(const std::string& name, const PerfDataBuilder& perf) const {
    const std::string recording = write(name + ".data", perf);
    const InputBytes input = *InputBytes::open(recording);
    write_bytes(name, write_pprof(read_stack_source(input, {})->profile));
  }
  std::string error_of_files(const std::string& before, const std::string& after,
                             const std::string& sample_type = "") const {
    DiffRequest request;
    request.sides = {{{path(before)}, {path(after)}}};
    request.sample_type = sample_type;
    Result<DiffResult> result = diff(request);
    return result ? "no error" : relative(result.error().message);
  }

  // The only message of this kind.
  std::string warning_of(const DiffResult& result, const std::string& kind) const {
    auto found = result.diagnostics.entries().find(kind);
    return found == result.diagnostics.entries().end() ? "none"
                                                       : relative(found->second.messages[0]);
  }

  std::string path(const std::string& name) const { return directory_.file(name); }
  void write_bytes(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string write(const std::string& name, const PerfDataBuilder& perf) const {
    const ByteVector bytes = perf.file();
    std::ofstream(directory_.file(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return directory_.file(name);
  }
  std::string relative(std::string text) const {
    const std::string prefix = directory_.file("");
    for (size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
    return text;
  }

  TemporaryDirectory directory_ = *TemporaryDirectory::make();
};

double share_of_program(const DiffResult& result, size_t side) {
  for (const DiffRow& row : result.rows)
    if (row.key.name == "server") return side == 0 ? row.flat.rate_a : row.flat.rate_b;
  ADD_FAILURE() << "no row of the program";
  return 0;
}

TEST_F(RecordingDifferenceTest, RefusesEventsThatCountBranches) {
  const PerfDataBuilder clock = recording({clock_event()}, {50});
  for (const Event& branches :
       {event(PERF_TYPE_RAW, 0x20c4, "br_inst_retired.near_taken"),
        event(PERF_TYPE_RAW, 0x20c4, "r20c4"),
        event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches:u"),
        // Of the kinds of cores of a hybrid processor.
        event(PERF_TYPE_HARDWARE, uint64_t{4} << 32 | PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
              "cpu_core/branches/u"),
        event(10, 0x20c4, "cpu_atom/event=0xc4,umask=0x20/u"),
        event(PERF_TYPE_RAW, 0xc2, "ex_ret_brn_tkn:u")}) {
    const PerfDataBuilder perf = recording({branches}, {50});
    const std::string text =
        ": its event counts branches, not cost: a profile-guided build takes fewer of them even if "
        "it "
        "is not faster; compare recordings of cycles or of the clock ('perf record -e cycles', "
        "'pgo record "
        "\xFF{engine} clock')";
    EXPECT_EQ(error_of(perf, clock), "before.data" + text) << branches.name;
    EXPECT_EQ(error_of(clock, perf), "after.data" + text) << branches.name;
  }
  // Mispredicted ones cost time.
  EXPECT_EQ(
      error_of(clock, recording({event(PERF_TYPE_RAW, 0xc5, "br_misp_retired.all_branches")}, {50}))
          .substr(0, 18),
      "after.data: counts");
}

// A conversion keeps the name of the event, so its result is refused like the recording.
TEST_F(RecordingDifferenceTest, RefusesConversionsOfEventsThatCountBranches) {
  const Event branches = event(PERF_TYPE_RAW, 0x20c4, "cpu/br_inst_retired.near_taken/u");
  convert("branches.pb", recording({branches}, {50}));
  convert("clock.pb", recording({clock_event()}, {50}));
  const std::string text =
      "branches.pb: its event 'br_inst_retired.near_taken:u' counts branches, not cost: a "
      "profile-guided build takes fewer of them even if it is not faster; compare recordings of "
      "cycles or of the clock ('perf record -e cycles', 'pgo record \xFF{engine} clock')";
  EXPECT_EQ(error_of_files("clock.pb", "branches.pb"), text);
  EXPECT_EQ(error_of_files("branches.pb", "clock.pb"), text);
  // A number of samples is one of the event that took them.
  EXPECT_EQ(error_of_files("clock.pb", "branches.pb", "samples"), text);
  EXPECT_EQ(error_of_files("clock.pb", "clock.pb"), "no error");
}

// As in pprof of other tools; in a directory, other profiles may count.
TEST_F(RecordingDifferenceTest, RefusesSampleTypesOfBranches) {
  write_bytes("branches.pb", write_pprof(small_stacks({{{{"f"}}, 10}}, "branches")));
  write_bytes("misses.pb", write_pprof(small_stacks({{{{"f"}}, 10}}, "branch-misses")));
  write_bytes("space.pb", write_pprof(small_stacks({{{{"f"}}, 10}}, "alloc_space", "bytes")));
  EXPECT_EQ(error_of_files("branches.pb", "branches.pb").substr(0, 51),
            "branches.pb: its event 'branches' counts branches, ");
  EXPECT_EQ(error_of_files("misses.pb", "misses.pb"), "no error");
  EXPECT_EQ(error_of_files("space.pb", "space.pb"), "no error");
  DiffRequest request;
  request.sides = {{{path("")}, {path("space.pb")}}};
  std::filesystem::remove(path("misses.pb"));
  Result<DiffResult> result = diff(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "alloc_space");
  EXPECT_EQ(warning_of(*result, kUnsupportedInput).substr(0, 32),
            "skipped: branches.pb: its event ");
}

TEST_F(RecordingDifferenceTest, TakesTheEventThatCountsTimeBesideOneOfBranches) {
  const Event branches = event(PERF_TYPE_RAW, 0x20c4, "br_inst_retired.near_taken:u", 78);
  const PerfDataBuilder before = recording({cycles("cycles:u"), branches}, {60, 5}),
                        after = recording({branches, cycles("cycles:u")}, {5, 30});
  Result<DiffResult> result = compare(before, after);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "cycles:u");
  EXPECT_EQ(result->sides[0].samples, 100);
  EXPECT_DOUBLE_EQ(share_of_program(*result, 0), .6);
  EXPECT_DOUBLE_EQ(share_of_program(*result, 1), .3);
}

// Also where both kinds of cores have both events.
TEST_F(RecordingDifferenceTest, AddsUpTheKindsOfCores) {
  const PerfDataBuilder hybrid = recording(
      {event(PERF_TYPE_HARDWARE, uint64_t{4} << 32 | PERF_COUNT_HW_CPU_CYCLES, "cpu_core/cycles/u"),
       event(PERF_TYPE_HARDWARE, uint64_t{10} << 32 | PERF_COUNT_HW_CPU_CYCLES, "cpu_atom/cycles/u",
             78),
       event(4, 0x20c4, "cpu_core/br_inst_retired.near_taken/u", 79),
       event(10, 0x20c4, "cpu_atom/br_inst_retired.near_taken/u", 80)},
      {60, 20, 5, 5});
  Result<DiffResult> result = compare(hybrid, recording({cycles("cycles:u")}, {30}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "cycles:u");
  EXPECT_EQ(result->sides[0].samples, 200);
  EXPECT_DOUBLE_EQ(share_of_program(*result, 0), .4);
}

TEST_F(RecordingDifferenceTest, ComparesAnEventOfOtherPrecisionWithAWarning) {
  Result<DiffResult> result =
      compare(recording({cycles("cycles:P")}, {60}), recording({cycles("cycles")}, {30}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "cycles:P");
  EXPECT_DOUBLE_EQ(share_of_program(*result, 1), .3);
  EXPECT_EQ(warning_of(*result, "other-precision"),
            "after.data: counts cycles, but before.data counts cycles:P: one locates "
            "instructions more precisely, which moves samples between lines and small functions; "
            "record both with "
            "the same event");
  ASSERT_TRUE(result->merged);
  EXPECT_EQ(result->merged->sample_types.size(), 2u);
}

TEST_F(RecordingDifferenceTest, ComparesAnEventWithoutTheKernelWithAWarning) {
  Result<DiffResult> result =
      compare(recording({clock_event()}, {60}),
              recording({event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock:u")}, {30}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "cpu-clock");
  EXPECT_EQ(result->unit, "nanoseconds");
  EXPECT_EQ(warning_of(*result, "other-code"),
            "before.data: counts cpu-clock, but after.data counts cpu-clock:u: the first covers "
            "user code and the kernel, the second user code, so their shares refer to different "
            "totals; record both with the same event");
  EXPECT_EQ(warning_of(*result, "other-precision"), "none");
}

TEST_F(RecordingDifferenceTest, ComparesAddressProfilesWithRecordings) {
  AddressProfile addresses =
      test::pc_sample_profile("0102030405060708", "/bin/prog", {{ElfAddr{0x1208}, 30, 30000}});
  addresses.events = {{.name = "cpu-clock:u", .samples = 30, .period = 1000}};
  const auto bytes = write_address_profile(addresses).value();
  write_bytes("after.addr", {bytes.begin(), bytes.end()});
  DiffRequest request;
  request.sides = {
      {{write("before.data", recording({clock_event()}, {60}))}, {path("after.addr")}}};
  const Result<DiffResult> result = diff(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "cpu-clock");
  EXPECT_NE(warning_of(*result, "other-code"), "none");
  EXPECT_FALSE(result->is_of_same_code);
}

TEST_F(RecordingDifferenceTest, FindsATypeByItsEventWithoutModifiers) {
  Result<DiffResult> result = compare(recording({cycles("cycles:P")}, {60}),
                                      recording({cycles("cycles:ppp")}, {30}), "cycles");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->type, "cycles:P");
}

TEST_F(RecordingDifferenceTest, WarnsWhereSamplesAreOfOtherThings) {
  const PerfDataBuilder of_cycles = recording({cycles("cycles")}, {60}),
                        of_misses = recording(
                            {event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, "cache-misses")},
                            {30});
  EXPECT_EQ(error_of(of_cycles, of_misses),
            "after.data: counts cache-misses/count, but before.data counts cycles/count; "
            "choose a type that both count with \xFF{sample-type}: samples/count");
  Result<DiffResult> result = compare(of_cycles, of_misses, "samples");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(warning_of(*result, "other-events"),
            "after.data: counts cache-misses, but before.data counts cycles: different events "
            "took their samples");
  // Both are time on the CPU.
  result = compare(of_cycles, recording({clock_event()}, {30}), "samples");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(warning_of(*result, "other-events"), "none");
}

}  // namespace
}  // namespace pgo::test::recording_difference_test
