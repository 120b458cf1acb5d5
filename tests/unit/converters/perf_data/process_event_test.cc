#include "converters/perf_data/process_event.h"

#include <gtest/gtest.h>

#include "converters/perf_data/recording.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test::process_event_test {
namespace {

using perf_data::ProcessEvent;
using perf_data::Recording;

PerfDataBuilder builder(uint64_t flags = kFlagSampleIdAll) {
  PerfDataBuilder perf;
  perf.event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                             PERF_SAMPLE_IDENTIFIER,
              .flags = flags,
              .ids = {7}});
  return perf;
}

std::vector<ProcessEvent> events_of(const PerfDataBuilder& perf) {
  ByteVector bytes = perf.file();
  Result<Recording> recording = perf_data::scan_recording(bytes, "perf.data", {});
  EXPECT_TRUE(recording) << recording.error().message;
  if (!recording) return {};
  EXPECT_TRUE(recording->diagnostics.entries().empty());
  return recording->process_events;
}

TEST(ProcessEvent, ReadsMmap) {
  auto events = events_of(builder()
                              .mmap({.pid = 3,
                                     .tid = 4,
                                     .time = 5,
                                     .addr = 0x400000,
                                     .len = 0x2000,
                                     .pgoff = 0x1000,
                                     .path = "/bin/a b"})
                              .mmap({.path = "/data", .misc = 1 << 13}));
  ASSERT_EQ(events.size(), 2u);
  const ProcessEvent& map = events[1];
  EXPECT_EQ(map.kind, ProcessEvent::Kind::kMap);
  EXPECT_EQ(map.pid, 3u);
  EXPECT_EQ(map.tid, 4u);
  EXPECT_EQ(map.moment.time, 5u);
  EXPECT_EQ(map.begin, RuntimeAddr{0x400000});
  EXPECT_EQ(map.size, 0x2000u);
  EXPECT_EQ(map.offset, FileOffset{0x1000});
  EXPECT_EQ(map.name, "/bin/a b");
  EXPECT_TRUE(map.build_id.empty());
  EXPECT_TRUE(map.executable);
  EXPECT_EQ(events[0].name, "/data");
  EXPECT_FALSE(events[0].executable);
}

TEST(ProcessEvent, ReadsMmap2WithBuildIdsOfAnySize) {
  const std::string id = "0102030405060708090a0b0c0d0e0f1011121314";
  for (size_t size : {8u, 16u, 20u}) {
    auto events = events_of(builder().mmap2({.pid = 3,
                                             .addr = 0x400000,
                                             .len = 0x2000,
                                             .pgoff = 0x1000,
                                             .path = "/bin/a (deleted)",
                                             .build_id = id.substr(0, 2 * size)}));
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].build_id.hex(), id.substr(0, 2 * size));
    EXPECT_EQ(events[0].name, "/bin/a (deleted)");
    EXPECT_EQ(events[0].begin, RuntimeAddr{0x400000});
    EXPECT_EQ(events[0].offset, FileOffset{0x1000});
    EXPECT_TRUE(events[0].executable);
  }
}

// Each child has its parent's.
TEST(ProcessEvent, CutsLongNamesOfThreads) {
  auto events = events_of(builder().comm({.pid = 1, .name = std::string(60'000, 'c')}));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].name, std::string(63, 'c'));
}

TEST(ProcessEvent, TakesInodesForNoBuildId) {
  auto events = events_of(builder().mmap2({.path = "/a", .prot = 1, .maj = 20, .ino = ~0ull}));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].build_id.empty());
  EXPECT_FALSE(events[0].executable);
}

// A size byte of 200 promises more than the 20 bytes there are.
TEST(ProcessEvent, CutsBuildIdsThatClaimTooMuch) {
  ByteVector body = words({1ull << 32 | 1, 0x400000, 0x1000, 0});
  put64(body, 200 | 0xaaaaaaaaull << 32);
  for (uint64_t word : {2u, 3u, 0u}) put64(body, word);
  put_name(body, "/a");
  for (uint64_t word : {0u, 0u, 0u, 7u}) put64(body, word);  // the trailer
  auto events = events_of(builder().record(PERF_RECORD_MMAP2, 1 << 14, body));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].build_id.bytes().size(), 20u);
  EXPECT_EQ(events[0].build_id.hex(),
            "aaaaaaaa"
            "0200000000000000"
            "0300000000000000");
}

TEST(ProcessEvent, ReadsNamesAndExecs) {
  auto events = events_of(
      builder()
          .comm({.pid = 3, .tid = 4, .time = 1, .name = "worker"})
          .comm({.pid = 5, .time = 2, .name = "server", .misc = PERF_RECORD_MISC_COMM_EXEC}));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, ProcessEvent::Kind::kComm);
  EXPECT_EQ(events[0].pid, 3u);
  EXPECT_EQ(events[0].tid, 4u);
  EXPECT_EQ(events[0].name, "worker");
  EXPECT_EQ(events[1].kind, ProcessEvent::Kind::kExec);
  EXPECT_EQ(events[1].pid, 5u);
  EXPECT_EQ(events[1].name, "server");
}

TEST(ProcessEvent, ReadsForksAndPassesExitsOver) {
  ByteVector body = words({9ull << 32 | 8, 9ull << 32 | 8, 0, 0, 0, 0, 7});
  auto events = events_of(builder()
                              .fork({.pid = 8, .parent = 9, .tid = 10, .parent_tid = 11, .time = 1})
                              .exit({.pid = 8, .parent = 9, .time = 2})
                              .record(PERF_RECORD_FORK, 1 << 13, body));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].ran_before);  // its time is 0, so it comes first
  EXPECT_EQ(events[1].kind, ProcessEvent::Kind::kFork);
  EXPECT_EQ(events[1].pid, 8u);
  EXPECT_EQ(events[1].parent_pid, 9u);
  EXPECT_EQ(events[1].tid, 10u);
  EXPECT_EQ(events[1].parent_tid, 11u);
  EXPECT_FALSE(events[1].ran_before);
}

// Without a trailer the order of the file is the order of events, whatever FORK says of its time.
TEST(ProcessEvent, NeedsNoTrailer) {
  auto events = events_of(builder(0)
                              .fork({.pid = 8, .parent = 9, .time = 99})
                              .mmap({.pid = 8, .addr = 0x1000, .len = 0x1000, .path = "/a"})
                              .comm({.pid = 8, .name = "name"}));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, ProcessEvent::Kind::kFork);
  EXPECT_EQ(events[1].name, "/a");
  EXPECT_EQ(events[2].name, "name");
  for (const ProcessEvent& event : events) EXPECT_EQ(event.moment.time, 0u);
}

TEST(ProcessEvent, PutsEventsInTheOrderOfTimeThenOfTheFile) {
  auto events = events_of(builder()
                              .comm({.pid = 1, .time = 30, .name = "c"})
                              .comm({.pid = 1, .time = 10, .name = "a"})
                              .comm({.pid = 1, .time = 30, .name = "d"})
                              .comm({.pid = 1, .time = 20, .name = "b"}));
  std::string order;
  for (const ProcessEvent& event : events) order += event.name;
  EXPECT_EQ(order, "abcd");
}

// Cut before the name every record is refused; within it, it has a shorter name.
TEST(ProcessEvent, RefusesRecordsThatAreTooShort) {
  perf_data::SampleLayout layout{perf_data::EventAttr()};
  for (auto [type, fixed] : {std::pair<uint32_t, size_t>{PERF_RECORD_MMAP, 40},
                             {PERF_RECORD_MMAP2, 72},
                             {PERF_RECORD_COMM, 16},
                             {PERF_RECORD_FORK, 24}}) {
    ByteVector record(fixed + 8, 'x');
    for (size_t size = 8; size <= record.size(); size++) {
      perf_data::RecordHeader header{type, 0, static_cast<uint16_t>(size)};
      auto event = parse_process_event(header, Bytes(record).first(size), layout, 0);
      EXPECT_EQ(event.has_value(), size >= fixed) << type << ' ' << size;
      if (event && type != PERF_RECORD_FORK) {
        EXPECT_EQ(event->name, std::string(size - fixed, 'x'));
      }
    }
  }
  EXPECT_FALSE(parse_process_event({PERF_RECORD_EXIT, 0, 80}, ByteVector(80), layout, 0));
}

}  // namespace
}  // namespace pgo::test::process_event_test
