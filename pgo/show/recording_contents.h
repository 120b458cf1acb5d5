// What a perf.data recording holds: as far as it goes without ELF files, and, for the binaries of a
// request, what a conversion would use, how dense that is, and the hottest functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converters/perf_data/recording_summary.h"
#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"
#include "pgo/show/show_request.h"

namespace pgo {

struct RecordingContents {
  struct Event {
    std::string name;
    uint64_t period = 0;  // or samples a second, when `is_frequency`
    bool is_frequency = false;
    bool has_branch_stacks = false, has_lbr_call_stacks = false, has_call_stacks = false;
    perf_data::RecordingSummary::Event counts;
  };
  struct HotFunction {
    std::string name;
    uint64_t weight = 0;  // bytes of its code that ran, as often as they ran; or of PC samples
  };
  // One of the binaries of a request.
  struct UsedBinary {
    std::string path, build_id;  // hexadecimal; empty: none
    bool has_lines = false;      // debug information or pseudo probes
    // Mean count of the lines that ran, at the end of the hottest 99 %; nothing without lines or
    // without counts.
    std::optional<double> density;
    uint64_t source_functions = 0;
    bool is_probe_based = false;
    uint64_t weight = 0;               // of all functions, and of code in none
    std::vector<HotFunction> hottest;  // by weight, the largest first; equal ones by name
  };
  // What a conversion would use.
  struct Used {
    AddressProfile summary;         // events, accounting and diagnostics; no counts
    std::optional<Error> unusable;  // why nothing would be left to convert
    std::vector<UsedBinary> binaries;
  };

  bool is_pipe = false;  // written to a pipe
  bool is_compressed = false, is_truncated = false;
  bool has_aux_data = false;  // trace data that perf must decode into samples first
  uint64_t lost = 0;          // samples, says the kernel
  std::vector<Event> events;
  perf_data::RecordingSummary summary;
  Diagnostics diagnostics;
  std::optional<Used> used;  // when the request has binaries
};

// `bytes` are of the file request.path. Errors: kInput for a damaged recording, those of
// BinarySet::open() and, with binaries, those of choosing an event.
Result<RecordingContents> read_recording_contents(Bytes bytes, const ShowRequest& request);

}  // namespace pgo
