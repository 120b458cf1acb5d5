// Where a recording was made: host, processor, clock and kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/scanned_recording.h"

namespace pgo::test::recording_host_test {
namespace {

using perf_data::Recording;

// A string as features have it: its length with padding, then NULs behind it.
ByteVector feature_text(const std::string& text, uint32_t length) {
  ByteVector feature;
  put32(feature, length);
  put_bytes(feature, text);
  feature.resize(4 + std::max<size_t>(length, text.size()));
  return feature;
}

TEST(RecordingHost, ReadsWhereItWasRecorded) {
  PerfDataBuilder perf;
  perf.event(branch_event()).finished_round();
  perf.feature(perf_data::kFeatureHostname, feature_text("web-17", 64));
  perf.feature(perf_data::kFeatureCpuDescription, feature_text("AMD EPYC 9B45", 64));
  ByteVector clock;
  for (uint32_t value : {1u, 1u}) put32(clock, value);
  for (uint64_t value : {1795419288283753000u, 1332618450061u}) put64(clock, value);
  perf.feature(perf_data::kFeatureClockData, clock);
  perf.feature(perf_data::kFeatureSampleTime, words({5, 7}));
  for (const ByteVector& bytes : {perf.file(), perf.pipe()}) {
    Recording recording = scan(bytes);
    EXPECT_EQ(recording.hostname, "web-17");
    EXPECT_EQ(recording.cpu_model, "AMD EPYC 9B45");
    ASSERT_TRUE(recording.clock);
    EXPECT_EQ(recording.clock->wall_time, 1795419288283753000u);
    EXPECT_EQ(recording.clock->record_time, 1332618450061u);
    EXPECT_EQ(recording.sample_times, std::pair(uint64_t{5}, uint64_t{7}));
  }
}

TEST(RecordingHost, BoundsDescriptions) {
  auto scan_with = [](const ByteVector& hostname, const ByteVector& clock) {
    PerfDataBuilder perf;
    perf.event(branch_event()).finished_round();
    perf.feature(perf_data::kFeatureHostname, hostname);
    perf.feature(perf_data::kFeatureClockData, clock);
    ByteVector bytes = perf.file();
    Recording recording = scan(bytes);
    return std::pair(recording.hostname, recording.clock.has_value());
  };
  const ByteVector unknown_version = words({2, 3, 4});
  EXPECT_EQ(scan_with(feature_text(std::string(1000, 'a'), 1000), words({1, 2})),
            std::pair(std::string(Recording::kMaxDescription, 'a'), false));
  EXPECT_EQ(scan_with(feature_text("short", 64), unknown_version),
            std::pair(std::string("short"), false));
  ByteVector cut = feature_text("short", 64);
  cut.resize(20);
  EXPECT_EQ(scan_with(cut, {}), std::pair(std::string(), false));
}

TEST(RecordingHost, TakesImpossibleSampleTimesForNone) {
  for (const ByteVector& times : {words({8, 7}), words({5}), ByteVector()}) {
    PerfDataBuilder perf;
    perf.event(branch_event()).finished_round();
    perf.feature(perf_data::kFeatureSampleTime, times);
    const ByteVector bytes = perf.file();
    EXPECT_EQ(scan(bytes).sample_times, std::nullopt);
  }
}

TEST(RecordingHost, KnowsTheKernelByItsBuildId) {
  const std::string kernel = "1111111111111111111111111111111111111111",
                    module = "2222222222222222222222222222222222222222";
  for (const char* path : {"[kernel.kallsyms]", "/usr/lib/debug/boot/vmlinux-6.1.0"}) {
    PerfDataBuilder perf;
    perf.event(branch_event()).finished_round();
    perf.build_id({.id = "3333333333333333", .path = "/bin/server"});
    constexpr uint16_t kInKernel = kMiscBuildIdSize | PERF_RECORD_MISC_KERNEL;
    for (const char* other : {"[ext4]", "/lib/modules/6.1.0/kernel/fs/ext4.ko.xz"})
      perf.build_id({.id = module, .path = other, .misc = kInKernel});
    perf.build_id({.id = kernel, .path = path, .misc = kInKernel});
    ByteVector bytes = perf.file();
    EXPECT_EQ(scan(bytes).kernel_build_id.hex(), kernel) << path;
  }
}

}  // namespace
}  // namespace pgo::test::recording_host_test
