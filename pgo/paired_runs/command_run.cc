#include "pgo/paired_runs/command_run.h"

namespace pgo {

std::vector<std::string> shell_command(const std::string& command) {
  return {"/bin/sh", "-c", command};
}

Result<void> check_success(const std::string& command, const ProcessResult& finished) {
  if (finished.exit_status == 0) return ok();
  return fail(ErrorKind::kMismatch, command + ": failed with exit code " +
                                        std::to_string(finished.exit_status) + ": " +
                                        stderr_tail(finished));
}

Result<Turn> run_command(const std::string& command) {
  PGO_TRY(ProcessResult finished, run_subprocess(shell_command(command)));
  PGO_CHECK(check_success(command, finished));
  const ProcessUsage& usage = finished.usage;
  Turn turn;
  turn.cpu = usage.user + usage.system;
  turn.user = usage.user;
  turn.system = usage.system;
  turn.wall = usage.wall;
  // Linux counts what this process holds for a program that it starts, so less than that says
  // nothing.
  if (usage.peak_memory > own_peak_memory()) turn.peak_memory = usage.peak_memory;
  turn.output = std::move(finished.output);
  return turn;
}

}  // namespace pgo
