// Instructions of commands as perf counts them, where the processor lets it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/paired_runs/paired_runs.h"

namespace pgo {

struct PerfCount {
  double value = 0;  // perf has scaled it up if it counted only part of the time
  double share = 1;  // of the time that perf counted

  bool operator==(const PerfCount&) const = default;
};

// What `perf stat -x, -e instructions:u -o FILE` wrote: the sum over all lines, of which a
// processor with two kinds of cores has two. Nothing if instructions were not counted: the
// processor or the hypervisor does not support it, or the program never ran on such a core.
std::optional<PerfCount> read_perf_count(std::string_view text);

// Runs both commands a few more times under perf, if it counts here. Adds the figure
// "instructions", and a warning if perf counted only part of the time. The verdict is left alone:
// perf takes time itself. Errors: those of run_command().
Result<void> add_instructions(const PairedRunsRequest& request, PairedRunsResult& result);

}  // namespace pgo
