#include "converters/perf_data/perf_data_reader.h"

#include <gtest/gtest.h>

#include "tests/data/small_recording.h"

namespace pgo::test::perf_data_reader_test {
namespace {

using perf_data::Compatibility;
using perf_data::ReadOptions;

TEST(PerfDataReader, CountsASmallRecording) {
  std::string expected =
      "event cycles period 1000 samples 4\n"
      "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
      "  trace 1210 1218 - 1\n"
      "  trace 1220 1228 - 1\n"
      "  trace 1230 1200 1230 1\n"
      "  trace 1230 1200 - 1\n"
      "samples seen 4 used 3 kernel 1\n"
      "branches seen 5 used 4 kernel 1\n";
  PerfDataBuilder perf = small_recording();
  EXPECT_EQ(read_dump(perf.file(), {&program()}), expected);
  EXPECT_EQ(read_dump(perf.pipe(), {&program()}), expected);
}

// Call stacks before the branch stack: a profile by line needs only the latter.
TEST(PerfDataReader, ReadsBranchStacksBehindCallStacks) {
  Event event = branch_event();
  event.sample_type |= PERF_SAMPLE_CALLCHAIN;
  PerfDataBuilder perf;
  perf.event(event).mmap2(program().map(10, kMap));
  perf.sample({.pid = 10,
               .time = 1,
               .branches = kLoop,
               .callchain = {~0ull - 127, 0xffffffff81000000, ~0ull - 511, c(0x1204)}});
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 2 used 2\n");
  EXPECT_EQ(
      counts(perf, with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; })),
      "error: perf.data: has call stacks, from which llvm-profgen makes a context-sensitive "
      "profile, which is not supported. Without \xFF{compat} its branch records give a profile "
      "by line\n");
}

// With the reason for which llvm-profgen stops, or should.
TEST(PerfDataReader, RefusesCallStacksWithoutBranchStacksAsLlvmProfgenDoes) {
  auto refusal = [](uint64_t more, uint64_t branch_sample_type) {
    Event event = branch_event();
    event.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
    event.sample_type |= PERF_SAMPLE_CALLCHAIN | more;
    event.branch_sample_type = branch_sample_type;
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program().map(10, kMap));
    perf.sample({.pid = 10, .time = 1, .ip = c(0x1204), .callchain = {~0ull - 511, c(0x1204)}});
    return counts(perf,
                  with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; }));
  };
  EXPECT_EQ(
      refusal(0, 0),
      "error: perf.data: event 'cycles:u' has no branch records, so llvm-profgen stops with "
      "\"Invalid perf script input!\"; choose an event that has branch records with \xFF{event}, "
      "or convert "
      "without \xFF{compat}\n");
  EXPECT_EQ(refusal(PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_BRANCH_CALL_STACK),
            "error: perf.data: event 'cycles:u' has LBR call stacks (perf record --call-graph "
            "lbr), which llvm-profgen takes for branch records; convert without \xFF{compat}\n");
}

// Where the kernel has no addresses of its own, what perf says of the processor tells.
TEST(PerfDataReader, KnowsKernelSamplesOf32BitMachines) {
  std::vector<Branch> in_kernel = {{0xc1000100, 0xc1000000}};
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap));
  perf.sample({.pid = 10, .time = 1, .branches = in_kernel, .misc = PERF_RECORD_MISC_KERNEL});
  perf.sample({.pid = 10, .time = 2, .branches = in_kernel, .misc = PERF_RECORD_MISC_USER});
  EXPECT_NE(counts(perf).find("samples seen 2 used 0 kernel 1 unmapped 1\n"), std::string::npos)
      << counts(perf);
  Event plain = branch_event();
  plain.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  PerfDataBuilder plain_perf;
  plain_perf.event(plain).mmap2(program().map(10, kMap));
  plain_perf.sample({.pid = 10, .time = 1, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_KERNEL});
  plain_perf.sample({.pid = 10, .time = 2, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_USER});
  EXPECT_NE(counts(plain_perf).find("samples seen 2 used 0 kernel 1 unmapped 1\n"),
            std::string::npos)
      << counts(plain_perf);
}

TEST(PerfDataReader, LosesWhatLlvmProfgenLoses) {
  // The child has no map of its own, so llvm-profgen does not ask perf for its samples.
  EXPECT_EQ(counts(small_recording(),
                   with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; })),
            "  trace 1220 1228 - 1\n"
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 4 used 2 kernel 1 unmapped 1\n"
            "branches seen 5 used 3 kernel 1 unmapped 1\n");
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2}).sample({.pid = 10, .time = 3, .branches = kLoop});
  EXPECT_EQ(
      counts(perf, with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; })),
      "error: perf.data: llvm-profgen takes this recording for one with call stacks, because "
      "a sample with an empty branch stack comes first, and reads nothing; convert without "
      "\xFF{compat}\n");
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 2 used 1 no-branches 1\n"
            "branches seen 2 used 2\n");
}

TEST(PerfDataReader, TellsProgress) {
  uint64_t last = 0;
  PerfDataBuilder perf = small_recording();
  ByteVector bytes = perf.file();
  auto recording = perf_data::scan_recording(bytes, "f", [&](uint64_t done) { last = done; });
  ASSERT_TRUE(recording);
  EXPECT_EQ(last, recording->data.size());
  last = 0;
  ReadOptions options;
  options.progress = [&](uint64_t done) { last = done; };
  ASSERT_TRUE(perf_data::read_samples(*recording, {program().target()}, options));
  EXPECT_EQ(last, recording->data.size());
}

// A recording cut at any byte: never a crash, never a profile that does not add up, and what is
// counted grows with what is there.
TEST(PerfDataReader, SurvivesEveryCut) {
  PerfDataBuilder perf = small_recording(), compressed;
  compressed.event(branch_event()).start_compressed();
  compressed.mmap2(program().map(10, kMap, 100));
  for (uint64_t i = 0; i < 4; i++) compressed.sample({.pid = 10, .time = 200, .branches = kLoop});
  compressed.end_compressed({.plain = 64});
  for (const ByteVector& bytes : {perf.file(), perf.pipe(), compressed.file(), compressed.pipe()}) {
    uint64_t seen_before = 0;
    for (size_t size = 0; size <= bytes.size(); size++) {
      auto recording = perf_data::scan_recording(Bytes(bytes).first(size), "cut", {});
      if (!recording) continue;
      auto profile = perf_data::read_samples(*recording, {program().target()},
                                             with([](ReadOptions& o) { o.jobs = 1; }));
      ASSERT_TRUE(profile) << size << ": " << profile.error().message;
      EXPECT_EQ(profile->check(), std::nullopt) << size;
      EXPECT_EQ(profile->samples.seen, recording->sample_records) << size;
      EXPECT_GE(profile->samples.seen, seen_before) << size;
      seen_before = profile->samples.seen;
    }
    EXPECT_EQ(seen_before, 4u);
  }
}

}  // namespace
}  // namespace pgo::test::perf_data_reader_test
