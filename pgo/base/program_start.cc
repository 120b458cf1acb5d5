#include "pgo/base/program_start.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstring>

extern char** environ;

namespace pgo {
Result<pid_t> start_program(const ProgramStart& program, const DeferredTermination& termination) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (program.input < 0)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  else
    posix_spawn_file_actions_adddup2(&actions, program.input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, program.output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, program.error, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t mask = termination.mask_for_programs();
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments = pointers_to(program.command), variables;
  if (program.environment) variables = pointers_to(*program.environment);
  pid_t child = 0;
  int reason = ::posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(),
                             program.environment ? variables.data() : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (reason == 0) return child;
  return fail(ErrorKind::kIo, "cannot run " + program.command[0] + ": " + std::strerror(reason));
}

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> current_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; variable++)
    variables.emplace_back(*variable);
  return variables;
}

}  // namespace pgo
