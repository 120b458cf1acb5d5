// pgo verify --calibrate: the command line of calibrate() (pgo/verdict/calibration.h).
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/verdict/calibration.h"

namespace pgo {

// The parts of the command line of pgo verify that apply to a calibration.
struct CalibrationArguments {
  CalibrationRequest request;
  std::vector<std::string> read;  // files besides the profiles
  OutputArguments output;         // -o: JSON or Markdown
};

// Exit code 1 if more than 5 % of the splits fail.
Result<ExitCode> run_calibration(CalibrationArguments arguments);

}  // namespace pgo
