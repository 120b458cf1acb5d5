// Every sample is counted once: as used, or with the reason why not.
#include <gtest/gtest.h>

#include "converters/perf_data/perf_data_reader.h"
#include "tests/data/small_recording.h"

namespace pgo::test::sample_accounting_test {
namespace {

TEST(SampleAccounting, CountsWhatIsMalformedAndNamesTheFirst) {
  const std::string expected =
      "samples seen 4 used 0 malformed 4\nbranches seen 0 used 0\n"
      "malformed-sample 4: perf.data: the sample record at byte 112 of the records is too short "
      "for "
      "the fields of its event; such samples are left out\n";
  PerfDataBuilder perf;
  Event second = branch_event();
  second.ids = {78};
  perf.event(branch_event()).event(second).mmap2(program().map(10, kMap));
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1, 2, 3, 4, 1000}));  // 1000 branches
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1}));
  perf.record(PERF_RECORD_SAMPLE, 0, {});
  perf.sample({.pid = 10, .branches = kLoop, .id = 1234});
  EXPECT_EQ(counts(perf), expected);
  perf = PerfDataBuilder();
  second.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  perf.event(branch_event()).event(second).mmap2(program().map(10, kMap));
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1, 2, 3, 4, 1000}));
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1}));
  perf.record(PERF_RECORD_SAMPLE, 0, {});
  perf.sample({.pid = 10, .branches = kLoop, .id = 1234});
  EXPECT_EQ(counts(perf), expected);
}

TEST(SampleAccounting, SaysWhenItMatchedByName) {
  Mmap2 map = program().map(10, kMap);
  map.build_id = "";
  map.path = "/srv/tiny";
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(map).sample({.pid = 10, .time = 1, .branches = kLoop});
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 2 used 2\n"
            "matched-by-name 1: perf.data: has no build ID for /bin/tiny, which was matched by its "
            "file name\n");

  TinyProgram without_id("/bin/tiny", "");
  PerfDataBuilder with_id;
  with_id.event(branch_event()).mmap2(program().map(10, kMap));
  with_id.sample({.pid = 10, .time = 1, .branches = {{c(0x1230), c(0x1200)}}});
  EXPECT_EQ(read_counts(with_id.file(), {&without_id}),
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 1 used 1\n"
            "matched-by-name 1: perf.data: /bin/tiny has no build ID and was matched by its file "
            "name; link it with -Wl,--build-id\n");
}

TEST(SampleAccounting, ReportsLostSamples) {
  PerfDataBuilder perf = small_recording();
  perf.lost({.lost = 7, .time = 600});
  EXPECT_NE(counts(perf).find("lost 7\n"), std::string::npos);
}

// By the sample's own address, also where branches of its stack are in a binary that counts.
TEST(SampleAccounting, CountsSamplesInOtherFiles) {
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap));
  perf.mmap2(
      {.pid = 10, .addr = 0x700000, .len = 0x1000, .path = "/lib/other.so", .build_id = "aabb"});
  perf.mmap2({.pid = 10, .addr = 0x800000, .len = 0x1000, .path = "/lib/idle.so"});
  perf.mmap2({.pid = 10, .addr = 0x900000, .len = 0x1000, .path = "//anon"});
  perf.sample({.pid = 10, .time = 1, .ip = 0x700010, .branches = kLoop});
  perf.sample({.pid = 10, .time = 1, .ip = 0x700020, .branches = {{0x700020, 0x700010}}});
  perf.sample({.pid = 10, .time = 1, .ip = c(0x1200), .branches = kLoop});
  perf.sample({.pid = 10, .time = 1, .ip = 0x900010, .branches = kLoop});
  perf.sample({.pid = 10, .time = 1, .ip = 0xffffffff81000000, .branches = kLoop});
  ByteVector bytes = perf.file();
  auto recording = perf_data::scan_recording(bytes, "f", {});
  std::vector<perf_data::OtherFile> others;
  ASSERT_TRUE(perf_data::read_samples(*recording, {program().target()}, {}, others));
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].file.path, "/lib/other.so");
  EXPECT_EQ(others[0].file.id.hex(), "aabb");
  EXPECT_EQ(others[0].samples, 2u);
}

}  // namespace
}  // namespace pgo::test::sample_accounting_test
