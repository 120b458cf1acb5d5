// The program: a table of commands.

#include <cstdio>
#include <cstdlib>

#include "pgo/cli/command.h"

namespace pgo {
namespace {

constexpr Command kCommands[] = {
    {"convert", "Recordings of branch stacks into profiles for clang and BOLT", declare_convert},
    {"record", "A command or a process into a recording of branch stacks", declare_record},
    {"show", "What a file is: recordings, profiles, binaries", declare_show},
};

}  // namespace

int report_error(const Error& error) {
  std::fprintf(stderr, "pgo: error: %s\n", error.message.c_str());
  return kExitError;
}

void print_note(const std::string& text) { std::fprintf(stderr, "pgo: %s\n", text.c_str()); }

void print_warning(const std::string& text) {
  std::fprintf(stderr, "pgo: warning: %s\n", text.c_str());
}

}  // namespace pgo

int main(int argc, char** argv) {
  using namespace pgo;
  CLI::App app("ProdPGO: production profiles make C++ programs faster");
  app.name("pgo");
  app.set_version_flag("--version", "pgo " PRODPGO_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 the answer is no, 2 wrong usage or unusable data.\n"
      "'pgo COMMAND --help' describes a command.");
  int exit_code = kExitDone;
  for (const Command& command : kCommands)
    command.declare(*app.add_subcommand(command.name, command.summary), exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitError;
  } catch (const std::exception& error) {
    // Nothing of ours throws: memory ran out, or a library met what it did not expect.
    exit_code = report_error({ErrorKind::kInternal, std::string("stopped: ") + error.what()});
  }
  // Ends without destructors: see Conversion in cmd_convert.cc.
  std::fflush(nullptr);
  std::_Exit(exit_code);
}
