// RecordingSummary: what a recording holds, told without any ELF file: how many samples each event,
// process and recorded file has. The first stages of the funnel: records, samples, with branch
// stacks, in a known file.
//
//   PGO_TRY(Recording recording, scan_recording(file.bytes(), path, {}));
//   RecordingSummary summary = summarize_recording(recording, 0);
//
// A sample counts for the file that its instruction pointer lies in, or, where an event has none,
// the source of its newest branch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converters/perf_data/address_space.h"
#include "converters/perf_data/recording.h"
#include "pgo/profile/accounting.h"

namespace pgo::perf_data {

struct RecordingSummary {
  struct Event {
    uint64_t samples = 0;
    uint64_t with_branches = 0;   // samples
    uint64_t branch_records = 0;  // entries of their stacks
  };
  struct File {
    RecordedFile file;
    uint64_t samples = 0;
  };
  struct Process {
    uint32_t pid = 0;
    std::string name;  // the last that was recorded
    uint64_t samples = 0;
  };

  uint64_t records = 0;
  std::vector<Event> events;  // of Recording::events[i]
  Accounting samples;         // used: in a recorded file
  uint64_t with_branches = 0;
  uint64_t branch_records = 0;
  std::vector<File> files;                            // with samples, most first
  std::vector<Process> processes;                     // with samples, most first
  std::optional<std::pair<uint64_t, uint64_t>> time;  // of the first and last sample, nanoseconds
};

// On `jobs` threads (0: all cores). O(samples x log mappings).
RecordingSummary summarize_recording(const Recording& recording, unsigned jobs);

}  // namespace pgo::perf_data
