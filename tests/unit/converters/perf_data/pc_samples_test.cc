// Samples without branches: where they are, and what each weighs.
#include <gtest/gtest.h>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/profile/quality.h"
#include "tests/data/small_recording.h"

namespace pgo::test::pc_samples_test {
namespace {

using perf_data::ReadOptions;

// PC samples count their period; those of an event that was not chosen, nothing.
TEST(PcSamples, KeepsPlainSamplesWeightedByPeriod) {
  Event plain = branch_event();
  plain.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  plain.ids = {78};
  plain.name = "instructions:u";
  PerfDataBuilder perf;
  perf.event(branch_event()).event(plain).event_desc().mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2, .branches = kLoop});
  perf.sample({.pid = 10, .time = 3, .ip = c(0x1204), .event = 1, .period = 500});
  perf.sample({.pid = 10, .time = 4, .ip = c(0x1204), .event = 1, .period = 700});
  perf.sample({.pid = 10, .time = 5, .ip = 0x10, .event = 1, .period = 700});
  perf.sample({.pid = 10, .time = 6, .ip = kMap, .event = 1});
  EXPECT_EQ(read_dump(perf.file(), {&program()},
                      with([](ReadOptions& o) { o.events = {"instructions"}; })),
            "event instructions:u period 1000 samples 4\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  pc 1204 samples 2 weight 1200\n"
            "samples seen 5 used 0 pending 2 other-event 1 unmapped 1 not-code 1\n"
            "branches seen 0 used 0\n");
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 5 used 1 other-event 4\n"
            "branches seen 2 used 2\n");
}

TEST(PcSamples, WeighsPlainSamplesWithoutAPeriodByTheEvents) {
  for (auto [flags, weight] : {std::pair<uint64_t, const char*>{kFlagSampleIdAll, "250"},
                               {kFlagSampleIdAll | kFlagFrequency, "1"}}) {
    PerfDataBuilder perf;
    perf.event({.sample_period = 250,
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                .flags = flags});
    perf.mmap2(program().map(10, kMap)).sample({.pid = 10, .time = 1, .ip = c(0x1204)});
    EXPECT_EQ(counts(perf), std::string("  pc 1204 samples 1 weight ") + weight +
                                "\nsamples seen 1 used 0 pending 1\nbranches seen 0 used 0\n");
  }
}

// Of the samples that count, not of the attributes: an LBR may be empty.
TEST(PcSamples, SaysWhichEventsHadBranchRecords) {
  auto records_of = [](Event event, const std::vector<Branch>& branches) {
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program().map(10, kMap, 1));
    perf.sample({.pid = 10, .time = 2, .ip = c(0x1204), .branches = branches});
    const ByteVector file = perf.file();
    const perf_data::Recording recording = perf_data::scan_recording(file, "perf.data", {}).value();
    return read_samples(recording, {program().target()}, {}).value().events.at(0).branch_records;
  };
  Event call_stacks = branch_event(), cycles = branch_event();
  call_stacks.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
  cycles.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  cycles.branch_sample_type = 0;
  EXPECT_EQ(records_of(branch_event(), kLoop), BranchRecords::kSome);
  EXPECT_EQ(records_of(branch_event(), {}), BranchRecords::kNone);
  EXPECT_EQ(records_of(call_stacks, kLoop), BranchRecords::kNone);
  EXPECT_EQ(records_of(cycles, {}), BranchRecords::kNone);
}

// Single steps: where no burst began, only the clock was asked. A processor's stack is empty
// because nothing was recorded.
TEST(PcSamples, TakesThemFromEmptyStacksOfSingleSteps) {
  for (const bool stepped : {true, false}) {
    Event event = branch_event();
    if (stepped) event.name = std::string(kSteppedEvent);
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program().map(10, kMap, 1));
    perf.sample({.pid = 10, .time = 2, .ip = c(0x1204), .branches = kLoop, .period = 500});
    perf.sample({.pid = 10, .time = 3, .ip = c(0x1204), .branches = {}, .period = 700});
    const std::string traces =
        "  trace 1230 1200 1230 1\n"
        "  trace 1230 1200 - 1\n";
    EXPECT_EQ(counts(perf), traces +
                                (stepped ? "  pc 1204 samples 1 weight 700\n"
                                           "samples seen 2 used 1 pending 1\n"
                                         : "samples seen 2 used 1 no-branches 1\n") +
                                "branches seen 2 used 2\n");
  }
}

// Calls that have not returned are no branches; where the samples are is true all the same.
TEST(PcSamples, TakesPcSamplesFromLbrCallStacks) {
  Event event = branch_event();
  event.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
  PerfDataBuilder perf;
  perf.event(event).event_desc().mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2, .ip = c(0x1204), .branches = {{c(0x1250), c(0x1200)}}});
  EXPECT_EQ(
      counts(perf),
      "  pc 1204 samples 1 weight 1\n"
      "samples seen 1 used 0 pending 1\n"
      "branches seen 0 used 0\n"
      "lbr-call-stacks 1: perf.data: event 'cycles:u' has LBR call stacks (perf record "
      "--call-graph lbr), which are not branch records (perf record -b): its samples are used "
      "as PC samples\n");
}

// Costs of instructions are known for samples that name the instruction behind.
TEST(PcSamples, SaysThatSamplesArePrecise) {
  auto diagnostics = [](uint32_t type, uint64_t precise_ip, const std::string& name,
                        size_t samples = 2, uint64_t sample_type = 0) {
    Event event{.type = type,
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | sample_type,
                .flags = kFlagSampleIdAll | precise_ip << 15,
                .branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
                .ids = {77},
                .name = name};
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program().map(10, kMap));
    for (size_t i = 0; i < samples; i++)
      perf.sample({.pid = 10, .time = 1 + i, .ip = c(0x1204), .branches = kLoop});
    std::string text = counts(perf);
    size_t at = text.find("precise-event");
    return at == std::string::npos ? "" : text.substr(at);
  };
  auto said = [](const std::string& name) {
    return "precise-event 1: samples of " + name +
           " name the instruction that took the time; inference expects the instruction after it, "
           "which samples of a timer name (perf record -e cpu-clock:u). How much this loses was "
           "not measured\n";
  };
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 3, "cycles:ppp"), said("cycles:ppp"));
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 2, "cycles:pp"), said("cycles:pp"));
  EXPECT_EQ(diagnostics(11, 0, "ibs_op//"), said("ibs_op//"));
  // One behind, at a constant distance; and what perf falls back to where there are no counters.
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 1, "cycles:p"), "");
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 0, "cycles:P"), "");
  EXPECT_EQ(diagnostics(PERF_TYPE_SOFTWARE, 3, "cpu-clock:ppp"), "");
  // Nothing is inferred of branch stacks, nor of nothing.
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 3, "cycles:ppp", 2, PERF_SAMPLE_BRANCH_STACK), "");
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 3, "cycles:ppp", 0), "");
}

// perf follows frame pointers, and what has not set up its own, as short functions hardly have, is
// taken for its caller: what calls reach would be wrong.
TEST(PcSamples, TakesNoCallsFromCallChains) {
  PerfDataBuilder perf;
  perf.event(
      {.sample_period = 250,
       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN});
  perf.mmap2(program().map(10, kMap));
  perf.sample({.pid = 10,
               .time = 1,
               .ip = c(0x1204),
               .callchain = {~0ull - 511, c(0x1204), c(0x1210), c(0x1220)}});
  EXPECT_EQ(counts(perf),
            "  pc 1204 samples 1 weight 250\n"
            "samples seen 1 used 0 pending 1\n"
            "branches seen 0 used 0\n");
}

}  // namespace
}  // namespace pgo::test::pc_samples_test
