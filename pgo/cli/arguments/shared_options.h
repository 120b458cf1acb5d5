// Options that several commands have, with the same words and in the same group of the help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/cli/arguments/command_line.h"

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
// --event, --pid, --comm and --time: which samples of the inputs count. `time` gets the text of the
// last, for parse_time_window().
void add_sample_options(CommandLine& line, perf_data::ReadOptions& read, std::string& time);
// "FIRST,LAST" in seconds, as perf script takes it, in nanoseconds; either may be missing. Nothing
// for an empty text.
Result<std::optional<std::pair<uint64_t, uint64_t>>> parse_time_window(const std::string& text);
// Seconds for each program of `programs` ("perf2bolt") that is run.
void add_timeout_option(CommandLine& line, unsigned& seconds, const std::string& programs);

}  // namespace pgo
