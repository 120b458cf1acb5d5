// The program: a table of commands.

#include <cstdio>
#include <cstdlib>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/surroundings.h"

int main(int argc, char** argv) {
  using namespace pgo;
  const std::vector<Command> commands = {
      {"archive", "Archive a released program by build ID, to convert its recordings later", "",
       declare_archive},
      {"bolt", "Optimize a linked binary with llvm-bolt, and check the result",
       "options for llvm-bolt go after --: pgo bolt ... --", declare_bolt},
      {"completion", "Print a script that lets a shell complete the commands and options of pgo",
       "", declare_completion},
      {"convert", "Convert recordings to profiles for clang, GCC and BOLT", "", declare_convert},
      {"copy", "Copy a version of a profile from one registry to another", "", declare_copy},
      {"cost", "List what functions, files, teams or services cost, in cores and money", "",
       declare_cost},
      {"diff", "Compare two profiles or sets of profiles, and show which changes are significant",
       "", declare_diff},
      {"doctor", "Check this machine and a binary for PGO", "", declare_doctor},
      {"fetch", "Fetch representative profiles from a store", "", declare_fetch},
      {"flags", "Print the compiler flags to build for profiling or with a profile", "",
       declare_flags},
      {"gc", "Remove old versions from a directory of profiles", "", declare_gc},
      {"init", "Write a first pgo.toml, and the weekly CI job", "", declare_init},
      {"list", "List the versions of a profile in a registry", "", declare_list},
      {"lock", "Show what changed between two versions of pgo.lock", "", declare_lock},
      {"manual", "Print the manual page of pgo or of a command", "", declare_manual},
      {"match", "Show how much of a profile matches a build, and why the rest does not", "",
       declare_match},
      {"merge", "Merge profiles of many hosts into one", "", declare_merge},
      {"pin", "Write into pgo.lock which version of a profile builds use", "", declare_pin},
      {"pull", "Get the profiles that pgo.lock or a reference names", "", declare_pull},
      {"push", "Store profiles as a version in a registry", "", declare_push},
      {"record", "Record a command or a process (perf.data)",
       "the recorded command and its options go after --: pgo record -- COMMAND", declare_record},
      {"refresh",
       "Run the weekly job: fetch, convert, check, push and pin the profiles of services", "",
       declare_refresh},
      {"show", "Show what a recording, a profile or a binary contains", "", declare_show},
      {"status",
       "Show how old each pinned profile is, and how much of it matches the current build", "",
       declare_status},
      {"upload", "Upload profiles into a directory, a bucket or a store", "", declare_upload},
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
