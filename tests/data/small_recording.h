// A recording of a tiny program, for tests of what the reader makes of its records.
#pragma once

#include <string>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "tests/data/tiny_program.h"

namespace pgo::test {

constexpr uint64_t kMap = 0x400000;
constexpr uint64_t c(uint64_t elf) { return at(kMap, elf); }

inline const TinyProgram& program() {
  static const TinyProgram tiny;
  return tiny;
}

// The default options, changed by `set`.
template <typename Set>
perf_data::ReadOptions with(const Set& set) {
  perf_data::ReadOptions options;
  set(options);
  return options;
}

inline const std::vector<Branch> kLoop = {{c(0x1230), c(0x1200)}, {c(0x1230), c(0x1200)}};

// One process of two threads, and its child; 3 samples and one in the kernel.
inline PerfDataBuilder small_recording() {
  PerfDataBuilder perf;
  perf.event(branch_event());
  perf.mmap2(program().map(10, kMap, 100));
  perf.comm({.pid = 10, .time = 110, .name = "main"});
  perf.fork({.pid = 10, .parent = 10, .tid = 12, .parent_tid = 10, .time = 120});
  perf.comm({.pid = 10, .tid = 12, .time = 130, .name = "worker"});
  perf.fork({.pid = 20, .parent = 10, .time = 140});
  perf.sample({.pid = 10, .time = 200, .branches = kLoop});
  perf.sample({.pid = 10, .tid = 12, .time = 300, .branches = {{c(0x1220), c(0x1228)}}});
  perf.sample({.pid = 20, .time = 400, .branches = {{c(0x1210), c(0x1218)}}});
  perf.sample({.pid = 10, .time = 500, .branches = {{~0ull - 99, ~0ull - 9}}});
  return perf;
}

inline std::string counts(const PerfDataBuilder& perf, const perf_data::ReadOptions& options = {}) {
  return read_counts(perf.file(), {&program()}, options);
}

}  // namespace pgo::test
