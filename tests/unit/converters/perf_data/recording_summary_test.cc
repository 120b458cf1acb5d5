#include "converters/perf_data/recording_summary.h"

#include <gtest/gtest.h>

#include "tests/data/perf_data_builder.h"

namespace pgo::perf_data::recording_summary_test {
namespace {

using test::PerfDataBuilder;

constexpr uint64_t kFields =
    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK;

// One line each: what became of the samples, the files, the processes.
std::string summary_of(const std::vector<uint8_t>& bytes, unsigned jobs = 1) {
  Result<Recording> recording = scan_recording(bytes, "a.perf", {});
  EXPECT_TRUE(recording.has_value()) << recording.error().message;
  RecordingSummary summary = summarize_recording(*recording, jobs);
  EXPECT_EQ(summary.samples.check(), std::nullopt);
  std::string text = std::to_string(summary.records) + " records, " +
                     std::to_string(summary.samples.seen) + " samples, " +
                     std::to_string(summary.with_branches) + " with " +
                     std::to_string(summary.branch_records) + " branches\n";
  for (size_t i = 0; i < kDroppedCount; i++)
    if (summary.samples.dropped[i] != 0)
      text += std::string(dropped_name(static_cast<Dropped>(i))) + " " +
              std::to_string(summary.samples.dropped[i]) + "\n";
  for (const RecordingSummary::File& file : summary.files)
    text += file.file.path + " " + file.file.id.hex() + " " + std::to_string(file.samples) + "\n";
  for (const RecordingSummary::Process& process : summary.processes)
    text += std::to_string(process.pid) + " '" + process.name + "' " +
            std::to_string(process.samples) + "\n";
  return text;
}

PerfDataBuilder two_processes() {
  PerfDataBuilder perf;
  perf.event({.sample_type = kFields, .flags = test::kFlagSampleIdAll})
      .comm({.pid = 10, .time = 1, .name = "server", .misc = PERF_RECORD_MISC_COMM_EXEC})
      .mmap2({.pid = 10,
              .time = 2,
              .addr = 0x400000,
              .len = 0x1000,
              .path = "/bin/server",
              .build_id = "0011aabbccddeeff"})
      .mmap2({.pid = 10, .time = 3, .addr = 0x500000, .len = 0x1000, .path = "//anon"})
      .fork({.pid = 11, .parent = 10, .time = 4})
      .sample({.pid = 10, .time = 5, .ip = 0x400100, .branches = {{0x400120, 0x400100}}})
      .sample({.pid = 11, .time = 6, .ip = 0x400200, .branches = {{1, 2}, {3, 4}}})
      .sample({.pid = 11, .time = 7, .ip = 0x500200})
      .sample({.pid = 10, .time = 8, .ip = 0xffffffff81000000})
      .sample({.pid = 10, .time = 9, .ip = 0x900000})
      .sample({.pid = 10, .time = 10, .ip = 0x400000});
  return perf;
}

TEST(RecordingSummary, TellsWhereSamplesFell) {
  EXPECT_EQ(summary_of(two_processes().file()),
            "10 records, 6 samples, 2 with 3 branches\n"
            "kernel 1\nanonymous 1\nunmapped 1\n"
            "/bin/server 0011aabbccddeeff 3\n"
            "10 'server' 4\n11 'server' 2\n");
}

// Where the kernel has no addresses of its own, what perf says of the processor tells.
TEST(RecordingSummary, KnowsKernelSamplesOf32BitMachines) {
  PerfDataBuilder perf = two_processes();
  perf.sample({.pid = 10, .time = 11, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_KERNEL})
      .sample({.pid = 10, .time = 12, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_GUEST_KERNEL})
      .sample({.pid = 10, .time = 13, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_USER})
      .sample({.pid = 10, .time = 14, .ip = 0x400000, .misc = PERF_RECORD_MISC_KERNEL});
  EXPECT_EQ(summary_of(perf.file()),
            "14 records, 10 samples, 2 with 3 branches\n"
            "kernel 3\nanonymous 1\nunmapped 2\n"
            "/bin/server 0011aabbccddeeff 4\n"
            "10 'server' 8\n11 'server' 2\n");
}

TEST(RecordingSummary, FilesOfOnePathAndTwoBuildsAreTwo) {
  PerfDataBuilder perf = two_processes();
  perf.mmap2({.pid = 12,
              .time = 11,
              .addr = 0x400000,
              .len = 0x1000,
              .path = "/bin/server",
              .build_id = "ffeeddccbbaa1100"});
  for (uint64_t time = 12; time < 16; time++)
    perf.sample({.pid = 12, .time = time, .ip = 0x400000});
  EXPECT_EQ(summary_of(perf.file()),
            "15 records, 10 samples, 2 with 3 branches\n"
            "kernel 1\nanonymous 1\nunmapped 1\n"
            "/bin/server ffeeddccbbaa1100 4\n/bin/server 0011aabbccddeeff 3\n"
            "10 'server' 4\n12 '' 4\n11 'server' 2\n");
}

TEST(RecordingSummary, WithoutInstructionPointersTheNewestBranchTells) {
  PerfDataBuilder perf;
  perf.event({.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_BRANCH_STACK})
      .mmap2({.pid = 10, .addr = 0x400000, .len = 0x1000, .path = "/bin/server"})
      .sample({.pid = 10, .branches = {{0x400120, 0x900000}, {0x900000, 0x400100}}})
      .sample({.pid = 10});
  EXPECT_EQ(summary_of(perf.file()),
            "3 records, 2 samples, 1 with 2 branches\n"
            "no-branches 1\n"
            "/bin/server  1\n"
            "10 '' 2\n");
}

TEST(RecordingSummary, CompressedAndPipedSayTheSame) {
  std::string plain = summary_of(two_processes().file());
  std::string piped = summary_of(two_processes().pipe());
  // A pipe carries its attributes as records.
  EXPECT_EQ(piped.substr(piped.find(" records")), plain.substr(plain.find(" records")));
  EXPECT_EQ(summary_of(two_processes().file(), 4), plain);
}

}  // namespace
}  // namespace pgo::perf_data::recording_summary_test
