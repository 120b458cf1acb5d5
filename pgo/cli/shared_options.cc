#include "pgo/cli/shared_options.h"

namespace pgo {

void add_jobs_option(CommandLine& line, unsigned& jobs) {
  line.option("-j,--jobs", jobs, "Number of threads (default: one for each core)").whole_number();
}

void add_debug_options(CommandLine& line, DebugPlaces& places) {
  line.option("--debug-file", places.files,
              "The debug file of a stripped binary; may be given several times")
      .group(kDebugGroup);
  line.option("--debug-root", places.roots,
              "A directory with debug files by build ID (.build-id/ab/cdef….debug) or path")
      .show_default()
      .group(kDebugGroup);
}

void add_json_option(CommandLine& line, bool& json) {
  line.flag("--json", json, "Print the result, or an error, as JSON on standard output")
      .group(kOutputGroup);
}

void add_report_option(CommandLine& line, std::string& report) {
  line.option("--report", report, "Write the result as JSON to this file").group(kOutputGroup);
}

void add_timeout_option(CommandLine& line, unsigned& seconds, const std::string& programs) {
  line.option("--timeout", seconds, "Stop " + programs + " after this many seconds")
      .show_default()
      .whole_number(1)
      .group(kToolGroup);
}

}  // namespace pgo
