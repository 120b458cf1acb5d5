#include "pgo/cli/arguments/shared_options.h"

#include <algorithm>

namespace pgo {
namespace {

using SampleTimes = std::optional<std::pair<uint64_t, uint64_t>>;  // in nanoseconds

// "12.5" in nanoseconds; false when it is no such number.
bool parse_seconds(const std::string& text, uint64_t& nanoseconds) {
  size_t dot = std::min(text.find('.'), text.size());
  std::string whole = text.substr(0, dot);
  std::string fraction = dot < text.size() ? text.substr(dot + 1) : "";
  if (whole.empty() || whole.size() > 10 || fraction.size() > 9 ||
      (whole + fraction).find_first_not_of("0123456789") != std::string::npos)
    return false;
  fraction.resize(9, '0');
  nanoseconds = std::stoull(whole) * 1'000'000'000u + std::stoull(fraction);
  return true;
}

}  // namespace

void add_jobs_option(CommandLine& line, unsigned& jobs) {
  line.option("-j,--jobs", jobs, "Number of threads (default: one for each core)").whole_number();
}

void add_binary_option(CommandLine& line, std::vector<std::string>& binaries,
                       const std::string& use) {
  line.option("-b,--binary", binaries,
              "A program or library that ran" + use + "; may be given several times")
      .group(kBinaryGroup);
}

void add_debug_options(CommandLine& line, DebugPlaces& places) {
  line.option("--debug-file", places.files,
              "The debug file of a stripped binary; may be given several times")
      .group(kBinaryGroup);
  line.option("--debug-root", places.roots,
              "A directory with debug files by build ID (.build-id/ab/cdef….debug) or path")
      .show_default()
      .group(kBinaryGroup);
}

void add_json_option(CommandLine& line, bool& json) {
  line.flag("--json", json, "Print the result, or an error, as JSON on standard output")
      .group(kOutputGroup);
}

void add_report_option(CommandLine& line, std::string& report) {
  line.option("--report", report, "Write the result as JSON to this file").group(kOutputGroup);
}

void add_sample_options(CommandLine& line, perf_data::ReadOptions& read, std::string& time) {
  line.option("--event", read.events,
              "Count this event, or this sample type of a stack profile (default: the event with\n"
              "branch records; else the only one; else CPU samples); may be given several times,\n"
              "and the samples are then added up")
      .group(kSelectionGroup);
  line.option("--pid", read.pids, "Count only these processes, separated by commas")
      .separated_by(',')
      .whole_number()
      .group(kSelectionGroup);
  line.option("--comm", read.comm, "Count only threads with this name").group(kSelectionGroup);
  line.option("--time", time,
              "Count only samples with timestamps from FIRST to LAST, in seconds as perf script\n"
              "prints them; either may be empty")
      .type_name("FIRST,LAST")
      .group(kSelectionGroup);
}

Result<SampleTimes> parse_time_window(const std::string& text) {
  if (text.empty()) return SampleTimes();
  std::pair<uint64_t, uint64_t> window{0, ~uint64_t{0}};
  size_t comma = text.find(',');
  auto parse = [](const std::string& part, uint64_t& nanoseconds) {
    return part.empty() || parse_seconds(part, nanoseconds);
  };
  if (comma == std::string::npos || !parse(text.substr(0, comma), window.first) ||
      !parse(text.substr(comma + 1), window.second))
    return fail(ErrorKind::kUsage,
                "--time " + text + ": FIRST,LAST in seconds expected, such as 12.5,20");
  if (window.first > window.second)
    return fail(ErrorKind::kUsage, "--time " + text + ": ends before it begins; was " +
                                       text.substr(comma + 1) + "," + text.substr(0, comma) +
                                       " meant?");
  return SampleTimes(window);
}

void add_allow_label_option(CommandLine& line, std::vector<std::string>& keys) {
  line.option("--allow-label", keys,
              "Keep labels with this key although it may name users (user, email, session, ip,\n"
              "token, ...), or has more than 1000 values; other such labels are left out")
      .group(kLabelGroup);
}

void add_trim_path_option(CommandLine& line, std::vector<std::string>& prefixes) {
  line.option("--trim-path", prefixes,
              "Remove this prefix from the paths of source files; may be given several times")
      .group(kOutputGroup);
}

void add_cache_option(CommandLine& line, std::string& cache) {
  line.option("--cache", cache,
              "Keep fetched files in this directory (default: $PRODPGO_CACHE, else\n"
              "$XDG_CACHE_HOME/prodpgo, else ~/.cache/prodpgo)")
      .group(kCacheGroup);
}

void add_perf2bolt_option(CommandLine& line, std::string& perf2bolt) {
  line.option("--perf2bolt", perf2bolt,
              "The perf2bolt to run for BOLT profiles (default: the one in PATH, or that of\n"
              "Debian's package bolt-22)")
      .type_name("FILE")
      .group(kToolGroup);
}

void add_timeout_option(CommandLine& line, unsigned& seconds, const std::string& programs) {
  line.option("--timeout", seconds, "Stop " + programs + " after this many seconds")
      .show_default()
      .whole_number(1)
      .group(kToolGroup);
}

}  // namespace pgo
