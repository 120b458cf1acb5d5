// pgo manual: the command line of man_page() (pgo/cli/manual/man_page.h).

#include <algorithm>
#include <memory>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/usage_error.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/manual/man_page.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/written_files.h"

namespace pgo {
namespace {

struct ManualArguments {
  std::string command, directory;
};

Result<void> add_page(const std::string& name, const ProgramDescription& program,
                      MadeFiles& files) {
  auto command = std::find_if(program.commands.begin(), program.commands.end(),
                              [&](const CommandDescription& one) { return one.name == name; });
  if (command == program.commands.end()) {
    std::vector<std::string> names;
    for (const CommandDescription& one : program.commands) names.push_back(one.name);
    return fail(ErrorKind::kUsage, describe_unknown_command(name, names));
  }
  files.add("-", man_page(program, *command));
  return ok();
}

Result<ExitCode> run(const ManualArguments& arguments, const ProgramDescription& program) {
  MadeFiles files;
  if (!arguments.directory.empty()) {
    if (!arguments.command.empty())
      return fail(ErrorKind::kUsage, "--directory writes the pages of all commands; leave out '" +
                                         arguments.command + "'");
    const std::string prefix = arguments.directory + "/";
    files.add(prefix + man_page_name(program), man_page(program));
    for (const CommandDescription& command : program.commands)
      files.add(prefix + man_page_name(program, command), man_page(program, command));
  } else if (arguments.command.empty()) {
    files.add("-", man_page(program));
  } else {
    PGO_CHECK(add_page(arguments.command, program, files));
  }
  PGO_CHECK(write_files(files.files()));
  return kExitDone;
}

}  // namespace

void declare_manual(CommandLine& line) {
  auto arguments = std::make_shared<ManualArguments>();
  line.argument("COMMAND", arguments->command, "The command (default: pgo itself)");
  line.option("--directory", arguments->directory,
              "Write the pages of pgo and of all commands into this directory");
  line.footer(
      "The pages have the text of --help, in the form that man reads. The packages of pgo install\n"
      "them: 'man pgo-merge'.\n"
      "Examples:\n"
      "  pgo manual merge | man -l -\n"
      "  pgo manual --directory ~/.local/share/man/man1");
  line.run([arguments, program = line.program()] {
    return report_any_failure(run(*arguments, program()), false);
  });
}

}  // namespace pgo
