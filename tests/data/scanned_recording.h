// What scan_recording() makes of recordings, and one that has most things, for tests of recordings.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "converters/perf_data/recording.h"
#include "tests/data/tiny_program.h"

namespace pgo::test {

// Two events, mappings, a process, samples, build IDs, names.
inline PerfDataBuilder two_event_recording() {
  TinyProgram tiny;
  Event cycles = branch_event(), misses = branch_event();
  cycles.ids = {71, 72};
  misses.ids = {73};
  misses.config = PERF_COUNT_HW_CACHE_MISSES;
  misses.name = "cache-misses:u";
  misses.branch_sample_type = 0;
  misses.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  PerfDataBuilder perf;
  perf.event(cycles).event(misses);
  perf.mmap2(tiny.map(10, 0x400000, 1)).comm({.pid = 10, .time = 2, .name = "tiny"});
  perf.sample({.pid = 10, .time = 3, .branches = {{at(0x400000, 0x1230), at(0x400000, 0x1200)}}});
  perf.sample({.pid = 10, .time = 4, .ip = at(0x400000, 0x1204), .event = 1});
  perf.build_id({.id = "0102030405060708090a0b0c0d0e0f1011121314", .path = "/bin/tiny"});
  perf.event_desc();
  return perf;
}

// The message, or "none".
inline std::string error_of(const ByteVector& bytes) {
  Result<perf_data::Recording> recording = perf_data::scan_recording(bytes, "perf.data", {});
  return recording ? "none" : recording.error().message;
}

inline perf_data::Recording scan(const ByteVector& bytes) {
  Result<perf_data::Recording> recording = perf_data::scan_recording(bytes, "perf.data", {});
  EXPECT_TRUE(recording) << recording.error().message;
  return recording ? std::move(*recording) : perf_data::Recording();
}

// Each kind as "KIND COUNT: FIRST MESSAGE".
inline std::string diagnostics_of(const ByteVector& bytes) {
  perf_data::Recording recording = scan(bytes);
  std::string text;
  for (const auto& [kind, entry] : recording.diagnostics.entries())
    text += kind + ' ' + std::to_string(entry.count) + ": " + entry.messages[0] + '\n';
  return text;
}

}  // namespace pgo::test
