// The events by which stacks are counted: names, units, weights, and which of several count.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/stack_recording.h"

namespace pgo::test::stack_events_test {
namespace {

using perf_data::StackOptions;

TEST(StackEvents, NamesUnitsAndPeriodsOfEvents) {
  struct Case {
    uint32_t type;
    uint64_t config, period, flags;
    const char *name, *expected;
  };
  constexpr uint64_t kFrequency = kFlagSampleIdAll | kFlagFrequency;
  for (const Case& one :
       {Case{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 4000, kFrequency, "task-clock:u",
             "types samples/count task-clock:u/nanoseconds\n"
             "period 250000 task-clock:u/nanoseconds\n"},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 4000, kFrequency, "cycles:P",
         "types samples/count cycles:P/count\nperiod 0 cycles:P/count\n"},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 99, kFlagSampleIdAll, "cpu_core/cycles/u",
         "types samples/count cycles:u/count\nperiod 99 cycles:u/count\n"}}) {
    Event event = clock_event();
    event.type = one.type;
    event.config = one.config;
    event.sample_period = one.period;
    event.flags = one.flags;
    event.name = one.name;
    std::ostringstream dump;
    read(recording_of({event}).file())->profile.dump(dump);
    EXPECT_TRUE(dump.str().starts_with(one.expected)) << dump.str();
  }
}

TEST(StackEvents, WeighsSamplesWithoutAPeriodByTheEvents) {
  Event event = clock_event();
  event.sample_type &= ~uint64_t{PERF_SAMPLE_PERIOD};
  event.sample_period = 250;
  PerfDataBuilder perf = recording_of({event});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234});
  EXPECT_EQ(text_of(perf), "server: server+1234 = 1 250\nseen 1 used 1\n");
}

TEST(StackEvents, ChoosesEventsThatCountTheSame) {
  Event core = clock_event(), atom = clock_event(), branches = clock_event();
  for (Event* event : {&core, &atom, &branches}) event->type = PERF_TYPE_HARDWARE;
  core.config = uint64_t{4} << 32 | PERF_COUNT_HW_CPU_CYCLES;
  core.name = "cpu_core/cycles/u";
  atom.config = uint64_t{10} << 32 | PERF_COUNT_HW_CPU_CYCLES;
  atom.name = "cpu_atom/cycles/u";
  atom.ids = {78};
  branches.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
  branches.name = "branches:u";
  branches.ids = {79};
  PerfDataBuilder perf = recording_of({core, atom, branches});
  for (size_t event : {0u, 1u, 2u})
    perf.sample({.pid = 10, .time = 10 + event, .ip = 0x401234, .event = event, .period = 100});
  EXPECT_EQ(text_of(perf), "server: server+1234 = 2 200\nseen 3 used 2 other-event 1\n");
  EXPECT_FALSE(read(perf.file())->of_branches);
  StackOptions named = with([](StackOptions& o) { o.events = {"branches"}; });
  EXPECT_EQ(text_of(perf, named), "server: server+1234 = 1 100\nseen 3 used 1 other-event 2\n");
  EXPECT_TRUE(read(perf.file(), named)->of_branches);
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.events = {"cycles", "branches"}; })),
            "error: perf.data: the chosen events count different things, which cannot be added up; "
            "name one with \xFF{event}:\n"
            "  cpu_core/cycles/u\n"
            "  cpu_atom/cycles/u\n"
            "  branches:u");
}

}  // namespace
}  // namespace pgo::test::stack_events_test
