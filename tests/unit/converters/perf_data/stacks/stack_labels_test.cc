// The label of a sample, which is the name of its thread, and the choice of samples by name,
// process and time.
#include <gtest/gtest.h>

#include "tests/data/stack_recording.h"

namespace pgo::test::stack_labels_test {
namespace {

using perf_data::StackOptions;

TEST(StackLabels, LabelsByTheNameAtTheTime) {
  PerfDataBuilder perf;
  perf.event(clock_event()).mmap2(server(10, 0x401000, 1));
  auto sample = [&](uint32_t tid, uint64_t time) {
    perf.sample({.pid = tid == 0 ? 0u : 10, .tid = tid, .time = time, .ip = 0x401234});
  };
  sample(10, 2);
  perf.comm({.pid = 10, .time = 5, .name = "main"});
  sample(10, 6);
  perf.fork({.pid = 10, .parent = 10, .tid = 12, .parent_tid = 10, .time = 7});
  sample(12, 8);
  perf.comm({.pid = 10, .tid = 12, .time = 9, .name = "worker"});
  sample(12, 10);
  sample(0, 11);  // nothing to do
  EXPECT_EQ(text_of(perf),
            ": server+1234 = 1 1\n"
            "main: server+1234 = 2 2\n"
            "swapper: 401234 = 1 1\n"
            "worker: server+1234 = 1 1\n"
            "seen 5 used 5\n");
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.comm = "swapper"; })),
            "swapper: 401234 = 1 1\nseen 5 used 1 filtered 4\n");
}

TEST(StackLabels, ChoosesSamples) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.mmap2(server(11, 0x401000, 4)).comm({.pid = 11, .time = 5, .name = "other"});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401010});
  perf.sample({.pid = 10, .time = 20, .ip = 0x401020});
  perf.sample({.pid = 11, .time = 30, .ip = 0x401030});
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.pids = {11}; })),
            "other: server+1030 = 1 1\nseen 3 used 1 filtered 2\n");
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.comm = "server"; })),
            "server: server+1010 = 1 1\nserver: server+1020 = 1 1\nseen 3 used 2 filtered 1\n");
  StackOptions late = with([](StackOptions& o) { o.time = std::pair<uint64_t, uint64_t>(20, 30); });
  EXPECT_EQ(text_of(perf, late),
            "other: server+1030 = 1 1\nserver: server+1020 = 1 1\nseen 3 used 2 filtered 1\n");
  EXPECT_EQ(read(perf.file(), late)->profile.duration, 10);
  EXPECT_EQ(read(perf.file())->profile.duration, 20);
}

}  // namespace
}  // namespace pgo::test::stack_labels_test
