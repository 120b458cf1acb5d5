// pgo completion: the command line of completion_script() (pgo/cli/manual/completion.h).

#include <memory>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/manual/completion.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/written_files.h"

namespace pgo {
namespace {

Result<ExitCode> run(const std::string& shell, const ProgramDescription& program) {
  const Shell of = shell == "bash" ? Shell::kBash : shell == "zsh" ? Shell::kZsh : Shell::kFish;
  MadeFiles files;
  files.add("-", completion_script(program, of));
  PGO_CHECK(write_files(files.files()));
  return kExitDone;
}

}  // namespace

void declare_completion(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  line.argument("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  line.footer(
      "The packages of pgo install these scripts. Otherwise, let the shell read one at its start:\n"
      "  source <(pgo completion bash)                               in ~/.bashrc\n"
      "  source <(pgo completion zsh)                                in ~/.zshrc, after compinit\n"
      "  pgo completion fish > ~/.config/fish/completions/pgo.fish   once\n"
      "Examples:\n"
      "  pgo completion bash > ~/.local/share/bash-completion/completions/pgo");
  line.run([shell, program = line.program()] {
    return report_any_failure(run(*shell, program()), false);
  });
}

}  // namespace pgo
