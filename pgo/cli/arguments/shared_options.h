// Options that several commands have, with the same words and in the same group of the help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/cli/arguments/command_line.h"

namespace pgo {

// Headings of the help.
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kSelectionGroup = "Sample selection";
inline constexpr const char* kBinaryGroup = "Binaries";  // and their debug information
inline constexpr const char* kWeightGroup = "Weights";
inline constexpr const char* kLabelGroup = "Labels";
inline constexpr const char* kCheckGroup = "Checks";
inline constexpr const char* kToolGroup = "Tools";
inline constexpr const char* kCacheGroup = "Cache";
inline constexpr const char* kLockGroup = "Lock file";
inline constexpr const char* kSignatureGroup = "Signatures";

void add_jobs_option(CommandLine& line, unsigned& jobs);
// --binary: the programs and libraries that ran. `use` is what they are for: ", ...", or "".
void add_binary_option(CommandLine& line, std::vector<std::string>& binaries,
                       const std::string& use);
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
// --allow-label: keys of labels that are kept although they may name users.
void add_allow_label_option(CommandLine& line, std::vector<std::string>& keys);
// --trim-path: prefixes that the paths of source files lose.
void add_trim_path_option(CommandLine& line, std::vector<std::string>& prefixes);
// --cache: its directory; empty: the usual one.
void add_cache_option(CommandLine& line, std::string& cache);
// --perf2bolt: the program; empty: it is looked for.
void add_perf2bolt_option(CommandLine& line, std::string& perf2bolt);
// Seconds for each program of `programs` ("perf2bolt") that is run.
void add_timeout_option(CommandLine& line, unsigned& seconds, const std::string& programs);

}  // namespace pgo
