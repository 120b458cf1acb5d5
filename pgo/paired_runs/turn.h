// Turn: what one run of a command, or one load of a server, cost and printed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/paired_runs/load_output.h"

namespace pgo {

struct Turn {
  double cpu = 0;                // seconds: what is judged
  double user = 0, system = 0;   // seconds
  double wall = 0;               // seconds; of a service: that of the load
  uint64_t peak_memory = 0;      // bytes; 0: not known
  std::string output;            // of the command, or of the load
  uint64_t requests = 0;         // that the load did; 0: not known
  std::vector<LoadFigure> load;  // what the load says of itself
  Diagnostics diagnostics;
};

}  // namespace pgo
