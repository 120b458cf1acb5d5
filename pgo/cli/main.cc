// The program: a table of commands.

#include <cstdio>
#include <cstdlib>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/command.h"
#include "pgo/cli/command_line.h"
#include "pgo/cli/option_words.h"
#include "pgo/cli/surroundings.h"
#include "pgo/report/error_json.h"
#include "pgo/report/json_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {

int report_error(const Error& error) {
  std::fprintf(stderr, "pgo: error: %s\n", printable(error_text(error)).c_str());
  return kExitError;
}

Result<void> print_error_json(const Error& error) {
  return write_file_atomically("-", json_text(json_with_option_words(error_json(error))));
}

int report_failure(const Error& error, bool json) {
  Result<void> written = json ? print_error_json(error) : ok();
  if (!written) report_error(written.error());
  return report_error(error);
}

int report_any_failure(const Result<ExitCode>& ended, bool json) {
  return ended ? *ended : report_failure(ended.error(), json);
}

}  // namespace pgo

int main(int argc, char** argv) {
  using namespace pgo;
  const std::vector<Command> commands = {
      {"bolt", "Optimize a linked binary with llvm-bolt, and check the result",
       "options for llvm-bolt go after --: pgo bolt ... --", declare_bolt},
      {"convert", "Convert recordings to profiles for clang, GCC and BOLT", "", declare_convert},
      {"cost", "List what functions, files, teams or services cost, in cores and money", "",
       declare_cost},
      {"diff", "Compare two profiles or sets of profiles, and show which changes are significant",
       "", declare_diff},
      {"doctor", "Check this machine and a binary for PGO", "", declare_doctor},
      {"fetch", "Fetch representative profiles from a store", "", declare_fetch},
      {"flags", "Print the compiler flags to build for profiling or with a profile", "",
       declare_flags},
      {"match", "Show how much of a profile matches a build, and why the rest does not", "",
       declare_match},
      {"merge", "Merge profiles of many hosts into one", "", declare_merge},
      {"record", "Record a command or a process (perf.data)",
       "the recorded command and its options go after --: pgo record -- COMMAND", declare_record},
      {"show", "Show what a recording, a profile or a binary contains", "", declare_show},
      {"verify", "Compare the cost of two releases: pass, fail or inconclusive", "",
       declare_verify},
  };
  reserve_standard_streams();
  survive_file_size_limit();
  int exit_code = run_command(commands, argc, argv);
  // Ends without destructors: see Conversion in cmd_convert.cc.
  std::fflush(nullptr);
  std::_Exit(exit_code);
}
