// ProcessEvent: what a recording says about processes: mappings, forks, execs, names.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "converters/perf_data/sample_layout.h"
#include "pgo/base/build_id.h"
#include "pgo/profile/address.h"

namespace pgo::perf_data {

// When something happened: perf sorts records by time; equal times, and recordings without times,
// keep the order of the file.
struct Moment {
  uint64_t time = 0;      // nanoseconds; 0 when records carry none
  uint64_t position = 0;  // in the record stream
  auto operator<=>(const Moment&) const = default;
};

struct ProcessEvent {
  enum class Kind : uint8_t { kMap, kComm, kExec, kFork };

  Kind kind = Kind::kMap;
  Moment moment;
  uint32_t pid = 0, tid = 0;
  // kFork:
  uint32_t parent_pid = 0, parent_tid = 0;
  // Of a process that ran before the recording began: its maps follow, its parent's are not its.
  bool ran_before = false;
  // kMap:
  RuntimeAddr begin;
  uint64_t size = 0;
  FileOffset offset;
  bool executable = true;
  BuildId build_id;  // empty when the record has none
  std::string name;  // the path as recorded (kMap), or the new name (kComm, kExec)
};

// MMAP, MMAP2, COMM and FORK become a ProcessEvent; nothing for other or malformed records.
// `layout` is that of the record's event; `position` becomes part of the moment.
std::optional<ProcessEvent> parse_process_event(RecordHeader header, Bytes record,
                                                const SampleLayout& layout, uint64_t position);

}  // namespace pgo::perf_data
