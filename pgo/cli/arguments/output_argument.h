// Where the results of a command go: what an -o argument names, a format and a path, and the files
// of --report and --json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "converters/format.h"
#include "pgo/base/result.h"
#include "pgo/convert/output_plan.h"

namespace pgo {

struct OutputArguments {
  std::vector<std::string> outputs;  // of -o
  std::string report;                // of --report; empty: not given
  bool json = false;                 // --json
};

// "FORMAT:PATH", or a path with a known extension; "-" is standard output. `command` is who writes
// it. Error: kUsage.
Result<OutputSpec> parse_output(std::string_view argument, FormatUse command = FormatUse::kConvert);
// All of -o, in their order. Error: kUsage, also for bytes that are no text and would go to a
// terminal.
Result<std::vector<OutputSpec>> parse_outputs(const std::vector<std::string>& arguments,
                                              FormatUse command);
// The files that `arguments` name, with `parsed`, which are their outputs, for check_plan().
std::vector<PlannedFile> planned_files(const OutputArguments& arguments,
                                       const std::vector<OutputSpec>& parsed);
// The formats with their prefixes and extensions, for help and error messages.
std::string output_formats_help(FormatUse command = FormatUse::kConvert);

}  // namespace pgo
