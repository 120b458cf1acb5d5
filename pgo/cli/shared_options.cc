#include "pgo/cli/shared_options.h"

#include "pgo/cli/option_checks.h"

namespace pgo {

void add_jobs_option(CLI::App& app, unsigned& jobs) {
  app.add_option("-j,--jobs", jobs, "Number of threads (default: one for each core)")
      ->check(whole_number());
}

void add_debug_options(CLI::App& app, DebugPlaces& places) {
  app.add_option("--debug-file", places.files,
                 "The debug file of a stripped binary; may be given several times")
      ->allow_extra_args(false)
      ->group(kDebugGroup);
  app.add_option("--debug-root", places.roots,
                 "A directory with debug files by build ID (.build-id/ab/cdef….debug) or path")
      ->capture_default_str()
      ->allow_extra_args(false)
      ->group(kDebugGroup);
}

void add_json_option(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the result, or an error, as JSON on standard output")
      ->group(kOutputGroup);
}

void add_report_option(CLI::App& app, std::string& report) {
  app.add_option("--report", report, "Write the result as JSON to this file")->group(kOutputGroup);
}

void add_timeout_option(CLI::App& app, unsigned& seconds, const std::string& programs) {
  app.add_option("--timeout", seconds, "Stop " + programs + " after this many seconds")
      ->capture_default_str()
      ->check(whole_number(1))
      ->group(kToolGroup);
}

}  // namespace pgo
