// The options of `pgo verify` that ask Prometheus for units of work.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/units/measured_units.h"

namespace pgo {

struct UnitsQueryArguments {
  std::string url, counter, rate;
  std::vector<std::string> windows_before, windows_after;

  bool is_wanted() const {
    return !url.empty() || !counter.empty() || !rate.empty() || !windows_before.empty() ||
           !windows_after.empty();
  }
};

void add_units_query_options(CommandLine& line, UnitsQueryArguments& arguments, const char* group);

// The inputs of each release before, and of the one after.
struct UnitsSides {
  std::vector<std::vector<std::string>> before;
  std::vector<std::string> after;
};

struct ReleaseUnits {
  std::vector<SideUnits> before;  // of each release
  SideUnits after;
};

// In the windows of the options, or of each member where a side consists of bundles. `label` is
// that of --standardize, or empty; `network`: how the server is reached. Errors: kUsage;
// kUnsupported in a build without network; those of prometheus::ask_for_work().
Result<ReleaseUnits> ask_for_units(const UnitsQueryArguments& arguments,
                                   const NetworkArguments& network, const UnitsSides& sides,
                                   const std::string& label, Diagnostics& diagnostics);

}  // namespace pgo
