// Options that several commands have, with the same words and in the same group of the help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "pgo/binary/debug_file.h"

namespace pgo {

// Headings of the help.
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kSelectionGroup = "Sample selection";
inline constexpr const char* kDebugGroup = "Debug information";
inline constexpr const char* kToolGroup = "Tools";

void add_jobs_option(CLI::App& app, unsigned& jobs);
// --debug-file and --debug-root.
void add_debug_options(CLI::App& app, DebugPlaces& places);
void add_json_option(CLI::App& app, bool& json);
void add_report_option(CLI::App& app, std::string& report);
// Seconds for each program of `programs` ("perf2bolt") that is run.
void add_timeout_option(CLI::App& app, unsigned& seconds, const std::string& programs);

}  // namespace pgo
