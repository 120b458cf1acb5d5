// Recordings of a server process with call stacks, and what read_stacks() makes of them, as text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "converters/perf_data/address_space.h"
#include "converters/perf_data/stacks/stack_reader.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test {

constexpr uint64_t kKernel = PERF_CONTEXT_KERNEL, kUser = PERF_CONTEXT_USER;
constexpr uint64_t kKernelText = 0xffffffff81000000;
constexpr const char* kBuildId = "0102030405060708090a0b0c0d0e0f1011121314";

// What perf record -e cpu-clock -g asks for.
inline Event clock_event() {
  return {.type = PERF_TYPE_SOFTWARE,
          .config = PERF_COUNT_SW_CPU_CLOCK,
          .sample_period = 1000,
          .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
                         PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IDENTIFIER,
          .flags = kFlagSampleIdAll,
          .ids = {77},
          .name = "cpu-clock"};
}

// The program's code, which begins at offset 0x1000 of the file.
inline Mmap2 server(uint32_t pid, uint64_t addr, uint64_t time) {
  return {.pid = pid,
          .time = time,
          .addr = addr,
          .len = 0x2000,
          .pgoff = 0x1000,
          .path = "/bin/server",
          .build_id = kBuildId};
}

inline Mmap2 library(uint32_t pid, uint64_t addr, uint64_t time) {
  return {.pid = pid, .time = time, .addr = addr, .len = 0x1000, .path = "/lib/libc.so"};
}

inline Mmap2 kernel() {
  return {.pid = perf_data::kKernelPid,
          .addr = kKernelText,
          .len = 0x1000000,
          .pgoff = kKernelText,
          .path = "[kernel.kallsyms]_text",
          .misc = PERF_RECORD_MISC_KERNEL};
}

// A process with a program and a library, and the kernel.
inline PerfDataBuilder recording_of(const std::vector<Event>& events) {
  PerfDataBuilder perf;
  for (const Event& event : events) perf.event(event);
  perf.event_desc().mmap2(kernel()).comm({.pid = 10, .time = 1, .name = "server"});
  return std::move(perf.mmap2(server(10, 0x401000, 2)).mmap2(library(10, 0x7f0000, 3)));
}

inline std::string frame_text(const StackProfile& profile, LocationId id) {
  const StackLocation& location = profile.locations[static_cast<size_t>(id)];
  std::ostringstream text;
  text << std::hex;
  if (location.mapping == kNoMapping) {
    text << location.address.value;
    return text.str();
  }
  const StackMapping& mapping = profile.mappings[static_cast<size_t>(location.mapping)];
  EXPECT_TRUE(mapping.holds(location.address));
  std::string_view path = profile.text(mapping.filename);
  text << path.substr(path.rfind('/') + 1) << '+'
       << location.address - mapping.begin + mapping.file_offset.value;
  return text.str();
}

// Each sample as "COMM: FRAMES VALUES", frames leaf first as FILE+OFFSET; sorted.
inline std::string samples_of(const StackProfile& profile) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    std::ostringstream line;
    for (const StackLabel& label : profile.labels[static_cast<size_t>(profile.samples[i].labels)])
      line << profile.text(label.text);
    line << ':';
    for (LocationId id : profile.stacks[static_cast<size_t>(profile.samples[i].stack)])
      line << ' ' << frame_text(profile, id);
    line << " =";
    for (int64_t value : profile.values_of(i)) line << ' ' << value;
    lines.push_back(line.str() + '\n');
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

inline std::string accounting_of(const perf_data::RecordedStacks& stacks) {
  std::ostringstream text;
  text << "seen " << stacks.samples.seen << " used " << stacks.samples.used;
  for (size_t i = 0; i < kDroppedCount; i++)
    if (stacks.samples.dropped[i] != 0)
      text << ' ' << dropped_name(static_cast<Dropped>(i)) << ' ' << stacks.samples.dropped[i];
  for (const auto& [kind, entry] : stacks.diagnostics.entries())
    text << '\n' << kind << ' ' << entry.count << ": " << entry.messages[0];
  return text.str() + '\n';
}

inline Result<perf_data::RecordedStacks> read(const ByteVector& bytes,
                                              const perf_data::StackOptions& options = {}) {
  Result<perf_data::Recording> recording = perf_data::scan_recording(bytes, "perf.data", {});
  if (!recording) return Failure(recording.error());
  Result<perf_data::RecordedStacks> stacks = perf_data::read_stacks(*recording, options);
  if (stacks) {
    EXPECT_EQ(stacks->profile.check(), std::nullopt);
    EXPECT_EQ(stacks->samples.check(), std::nullopt);
  }
  return stacks;
}

// Samples, accounting and warnings, or the error.
inline std::string text_of(const PerfDataBuilder& perf,
                           const perf_data::StackOptions& options = {}) {
  Result<perf_data::RecordedStacks> stacks = read(perf.file(), options);
  if (!stacks) return "error: " + stacks.error().message;
  return samples_of(stacks->profile) + accounting_of(*stacks);
}

template <typename Set>
perf_data::StackOptions with(const Set& set) {
  perf_data::StackOptions options;
  set(options);
  return options;
}

}  // namespace pgo::test
