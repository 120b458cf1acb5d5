// Options that several commands have, with the same words and in the same group of the help.
#pragma once

#include <string>

#include "pgo/binary/debug_file.h"
#include "pgo/cli/command_line.h"

namespace pgo {

// Headings of the help.
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kSelectionGroup = "Sample selection";
inline constexpr const char* kDebugGroup = "Debug information";
inline constexpr const char* kToolGroup = "Tools";

void add_jobs_option(CommandLine& line, unsigned& jobs);
// --debug-file and --debug-root.
void add_debug_options(CommandLine& line, DebugPlaces& places);
void add_json_option(CommandLine& line, bool& json);
void add_report_option(CommandLine& line, std::string& report);
// Seconds for each program of `programs` ("perf2bolt") that is run.
void add_timeout_option(CommandLine& line, unsigned& seconds, const std::string& programs);

}  // namespace pgo
