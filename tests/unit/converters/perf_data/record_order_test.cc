// Records take effect in the order of time, whatever their order in the file, and however many
// threads read it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/profile/address_merger.h"
#include "tests/data/small_recording.h"

namespace pgo::test::record_order_test {
namespace {

using perf_data::ReadOptions;

// The order of the file is another than that of time: the map comes last.
TEST(RecordOrder, PutsRecordsInTheOrderOfTime) {
  PerfDataBuilder perf;
  perf.event(branch_event());
  perf.sample({.pid = 10, .time = 300, .branches = kLoop});
  perf.sample({.pid = 10, .time = 50, .branches = kLoop});
  perf.mmap2(program().map(10, kMap, 100));
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 2 used 1 unmapped 1\n"
            "branches seen 4 used 2 unmapped 2\n");
}

TEST(RecordOrder, KeepsTheOrderOfTheFileWithoutTimes) {
  for (uint64_t flags : {uint64_t{0}, kFlagSampleIdAll}) {
    Event event = branch_event();
    event.flags = flags;
    if (flags != 0) event.sample_type &= ~uint64_t{PERF_SAMPLE_TIME};
    PerfDataBuilder perf;
    perf.event(event).sample({.pid = 10, .time = 300, .branches = kLoop});
    perf.mmap2(program().map(10, kMap, 900)).sample({.pid = 10, .time = 50, .branches = kLoop});
    EXPECT_EQ(counts(perf),
              "  trace 1230 1200 1230 1\n"
              "  trace 1230 1200 - 1\n"
              "samples seen 2 used 1 unmapped 1\n"
              "branches seen 4 used 2 unmapped 2\n");
  }
}

// Where one event carries no times, no record can be put in their order.
TEST(RecordOrder, KeepsTheOrderOfTheFileWhereSomeTimesAreMissing) {
  Event timeless = branch_event();
  timeless.sample_type &= ~uint64_t{PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK};
  timeless.ids = {78};
  PerfDataBuilder perf;
  perf.event(branch_event()).event(timeless).mmap2(program().map(10, kMap, 900));
  perf.sample({.pid = 10, .time = 50, .branches = kLoop});
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 2 used 2\n");
}

// Many processes whose maps come and go, over several blocks, in any order of the samples; as a
// file and compressed, with one thread and with many: always the same.
TEST(RecordOrder, GivesOneAnswerWhateverTheOrderAndTheThreads) {
  auto fill = [](PerfDataBuilder& perf, unsigned seed) {
    std::mt19937 values(5);
    std::vector<Sample> samples;
    for (uint32_t pid = 1; pid <= 20; pid++)
      for (uint64_t round = 0; round < 5; round++)
        perf.mmap2(program().map(pid, kMap + 0x10000 * (values() % 8), 1000 * round + pid));
    for (uint64_t i = 0; i < 5400; i++) {
      Sample sample{.pid = 1 + static_cast<uint32_t>(values() % 22), .time = values() % 6000};
      for (int entry = 0; entry < 32; entry++) {
        uint64_t map = kMap + 0x10000 * (values() % 8);
        sample.branches.push_back(
            {at(map, 0x1210 + 0x20 * (values() % 8)),
             values() % 10 == 0 ? ~0ull : at(map, 0x1210 + 0x20 * (values() % 8)),
             1 + values() % 2});
      }
      samples.push_back(std::move(sample));
    }
    std::shuffle(samples.begin(), samples.end(), std::mt19937(seed));
    for (const Sample& sample : samples) perf.sample(sample);
  };
  PerfDataBuilder ordered, shuffled, compressed;
  ordered.event(branch_event());
  fill(ordered, 1);
  shuffled.event(branch_event());
  fill(shuffled, 2);
  compressed.event(branch_event()).start_compressed();
  fill(compressed, 3);
  compressed.end_compressed();
  std::string expected =
      read_dump(ordered.file(), {&program()}, with([](ReadOptions& o) { o.jobs = 1; }));
  EXPECT_GT(expected.size(), 10000u);
  EXPECT_EQ(expected.find("error"), std::string::npos);
  for (const ByteVector& bytes : {ordered.file(), shuffled.file(), compressed.file()})
    EXPECT_TRUE(read_dump(bytes, {&program()}, with([](ReadOptions& o) { o.jobs = 4; })) ==
                expected);
}

// However it is cut, and whichever thread gets which piece.
TEST(RecordOrder, CountsTheSameInBlocksOfAnySize) {
  PerfDataBuilder plain, compressed;
  compressed.event(branch_event()).start_compressed();
  for (PerfDataBuilder* perf : {&plain.event(branch_event()), &compressed}) {
    perf->mmap2(program().map(10, kMap, 100));
    for (uint64_t i = 0; i < 50; i++)
      perf->sample(
          {.pid = 10, .time = 200 + i, .branches = {{c(0x1210 + 4 * (i % 8)), c(0x1200)}}});
    perf->mmap2(program().map(10, 2 * kMap, 230));
  }
  compressed.end_compressed({.plain = 100, .compressed = 33});
  for (const PerfDataBuilder* perf : {&plain, &compressed}) {
    ByteVector bytes = perf->file();
    auto whole = perf_data::scan_recording(bytes, "f", {});
    auto expected = perf_data::read_samples(*whole, {program().target()}, {});
    ASSERT_TRUE(expected);
    EXPECT_EQ(expected->samples.used, 50u);
    for (size_t block_size : {1u, 100u, 1000u}) {
      auto recording = perf_data::scan_recording(bytes, "f", {}, block_size);
      ASSERT_TRUE(recording);
      if (!recording->compressed) {
        EXPECT_GT(recording->blocks.size(), 3u);
      }
      for (unsigned jobs : {1u, 4u})
        EXPECT_EQ(*perf_data::read_samples(*recording, {program().target()},
                                           with([&](ReadOptions& o) { o.jobs = jobs; })),
                  *expected)
            << block_size << ' ' << jobs;
    }
  }
}

// Several recordings add up to the same in whatever order they come.
TEST(RecordOrder, AddsRecordingsUpInAnyOrder) {
  std::vector<AddressProfile> profiles;
  for (uint64_t i = 0; i < 3; i++) {
    Event event = branch_event();
    event.sample_period = 1000 * (i + 1);
    PerfDataBuilder perf;
    perf.event(event).mmap2(program().map(10, kMap)).lost({.lost = i});
    for (uint64_t n = 0; n <= i; n++)
      perf.sample({.pid = 10, .time = 1, .branches = {{c(0x1210 + 4 * n), c(0x1200)}}});
    ByteVector bytes = perf.file();
    auto recording = perf_data::scan_recording(bytes, "host" + std::to_string(i), {});
    profiles.push_back(perf_data::read_samples(*recording, {program().target()}, {}).value());
  }
  std::vector<size_t> order{0, 1, 2};
  std::optional<AddressProfile> first;
  do {
    AddressMerger merger;
    for (size_t i : order) merger.add(profiles[i]);
    AddressProfile sum = std::move(merger).finish();
    EXPECT_EQ(sum.check(), std::nullopt);
    if (!first) first = sum;
    EXPECT_EQ(sum, *first);
  } while (std::next_permutation(order.begin(), order.end()));
  std::ostringstream dump;
  first->dump(dump);
  EXPECT_EQ(dump.str(),
            "event cycles period 1000 samples 1\n"
            "event cycles period 2000 samples 2\n"
            "event cycles period 3000 samples 3\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  trace 1210 1200 - 3\n"
            "  trace 1214 1200 - 2\n"
            "  trace 1218 1200 - 1\n"
            "samples seen 6 used 6\n"
            "branches seen 6 used 6\n"
            "lost 3\n");
}

}  // namespace
}  // namespace pgo::test::record_order_test
