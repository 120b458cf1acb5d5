// Which samples of a recording count: by process, thread, time and event.
#include <gtest/gtest.h>

#include "converters/perf_data/perf_data_reader.h"
#include "tests/data/small_recording.h"

namespace pgo::test::sample_selection_test {
namespace {

using perf_data::ReadOptions;

TEST(SampleSelection, ChoosesProcesses) {
  EXPECT_EQ(counts(small_recording(), with([](ReadOptions& o) { o.pids = {20}; })),
            "  trace 1210 1218 - 1\n"
            "samples seen 4 used 1 filtered 3\n"
            "branches seen 1 used 1\n");
}

TEST(SampleSelection, ChoosesThreadsByName) {
  EXPECT_EQ(counts(small_recording(), with([](ReadOptions& o) { o.comm = "worker"; })),
            "  trace 1220 1228 - 1\n"
            "samples seen 4 used 1 filtered 3\n"
            "branches seen 1 used 1\n");
  // The child has its parent's name.
  EXPECT_EQ(counts(small_recording(), with([](ReadOptions& o) { o.comm = "main"; })),
            "  trace 1210 1218 - 1\n"
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 4 used 2 filtered 1 kernel 1\n"
            "branches seen 4 used 3 kernel 1\n");
}

TEST(SampleSelection, ChoosesByTheNameAtTheTime) {
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap, 1));
  perf.comm({.pid = 10, .time = 100, .name = "before"});
  perf.comm({.pid = 10, .time = 200, .name = "after"});
  perf.sample({.pid = 10, .time = 50, .branches = kLoop});
  perf.sample({.pid = 10, .time = 199, .branches = {{c(0x1220), c(0x1228)}}});
  perf.sample({.pid = 10, .time = 200, .branches = kLoop});
  EXPECT_EQ(counts(perf, with([](ReadOptions& o) { o.comm = "before"; })),
            "  trace 1220 1228 - 1\n"
            "samples seen 3 used 1 filtered 2\n"
            "branches seen 1 used 1\n");
}

TEST(SampleSelection, ChoosesTimesInclusively) {
  EXPECT_EQ(counts(small_recording(),
                   with([](ReadOptions& o) { o.time = std::pair<uint64_t, uint64_t>(300, 400); })),
            "  trace 1210 1218 - 1\n"
            "  trace 1220 1228 - 1\n"
            "samples seen 4 used 2 filtered 2\n"
            "branches seen 2 used 2\n");
}

// Two events of a hybrid processor are one event of the program.
TEST(SampleSelection, AddsUpEventsOfAHybridProcessor) {
  Event core = branch_event(), atom = branch_event();
  core.config |= uint64_t{4} << 32;
  core.name = "cpu_core/cycles/u";
  atom.config |= uint64_t{10} << 32;
  atom.name = "cpu_atom/cycles/u";
  atom.ids = {78};
  PerfDataBuilder perf;
  perf.event(core).event(atom).event_desc().mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2, .branches = kLoop});
  perf.sample({.pid = 10, .time = 3, .branches = kLoop, .event = 1});
  EXPECT_EQ(read_dump(perf.file(), {&program()}),
            "event cpu_atom/cycles/u period 1000 samples 1\n"
            "event cpu_core/cycles/u period 1000 samples 1\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  trace 1230 1200 1230 2\n"
            "  trace 1230 1200 - 2\n"
            "samples seen 2 used 2\n"
            "branches seen 4 used 4\n");
  EXPECT_EQ(counts(perf, with([](ReadOptions& o) { o.events = {"cpu_atom/cycles/u"}; })),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 2 used 1 other-event 1\n"
            "branches seen 2 used 2\n");
}

}  // namespace
}  // namespace pgo::test::sample_selection_test
