// Instructions and taken branches of a run under emulation, from the file that the event counter
// writes (plugin/count_state.h). The file can be read while the program runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

struct EventCounts {
  uint64_t instructions = 0, taken_branches = 0;

  bool operator==(const EventCounts&) const = default;
};

struct CountedEvents {
  EventCounts counts;              // of all threads and processes so far
  std::vector<std::string> notes;  // what was not counted, in order
  uint64_t further_notes = 0;      // how many more there were
};

// Errors: kInternal for what the counter cannot have written; kUnsupported for more threads and
// processes than it has room for.
Result<CountedEvents> parse_event_counts(Bytes file);

// The same of a file. Error: kIo, too.
Result<CountedEvents> read_event_counts(const std::string& path);

}  // namespace pgo
