// What `pgo record` does with a service instead of a command: the command line of capture()
// (pgo/capture/capture.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/cli/arguments/result_arguments.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/recording/record.h"

namespace pgo {

class CommandLine;

struct CaptureArguments {
  std::string every, duration;  // "10m"; empty: not given
  std::string program, cgroup, unit;
  std::vector<std::string> labels;
  std::string max_overhead;  // "1%"
  std::string pause_file, spool, spool_size;
  NetworkArguments network;

  bool is_wanted() const {
    return !every.empty() || !duration.empty() || !program.empty() || !cgroup.empty() ||
           !unit.empty();
  }
};

void declare_capture(CommandLine& line, CaptureArguments& arguments);

// Error: kUsage for an option of services without a service.
Result<void> refuse_capture_options(const CaptureArguments& arguments);

// Records until it is asked to end, or once without --every. `request` is what the other options of
// `pgo record` say.
Result<ExitCode> record_service(const CaptureArguments& arguments, const RecordRequest& request,
                                const ResultArguments& result_arguments);

}  // namespace pgo
