// Part assembly: one perf.data out of the files that an engine has written.
//
//   RecordingLabel label{{"./server", "--once"}, "emulated-branches:u"};
//   PGO_TRY(RecordingTotals totals, assemble_parts(parts, label, sink));
//
// The parts' records are merged by time. Times are unique within a recording and ascend within a
// part, so the result does not depend on the order of the parts. Behind the records stand the
// features that perf and its readers look for: build IDs, command line, event name, first and last
// time of a sample.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

// What a recording holds.
struct RecordingTotals {
  uint64_t samples = 0;
  uint64_t processes = 0;  // that were started; a program that executes another stays one process
  uint64_t threads = 0;    // of all processes, their first ones among them
  uint64_t taken_branches = 0;     // of all threads, as of each one's last record
  std::vector<std::string> notes;  // what could not be followed, in order
  uint64_t further_notes = 0;      // how many more there were

  bool operator==(const RecordingTotals&) const = default;
};

// What a recording says about itself.
struct RecordingLabel {
  std::vector<std::string> command;
  std::string event;  // its name
};

// Takes the next bytes of the output.
using ByteSink = std::function<Result<void>(Bytes)>;

// `parts` are whole files, the first of them the one that the recording began with; each may still
// be growing. Cost: one pass, O(records * log parts), memory for the build IDs alone.
// Errors: kInternal for a part that the recorder cannot have written; those of `sink`.
Result<RecordingTotals> assemble_parts(std::span<const Bytes> parts, const RecordingLabel& label,
                                       const ByteSink& sink);

}  // namespace pgo
