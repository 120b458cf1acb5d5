// What `pgo verify` does with commands instead of profiles: the command line of run_pairs()
// (pgo/paired_runs/paired_runs.h) and count_runs() (pgo/paired_runs/count_runs.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/verdict/limits.h"

namespace pgo {

class CommandLine;

struct RunsArguments {
  std::array<std::string, 2> runs, servers;  // commands, before and after; empty: not given
  std::string ready, load;                   // commands; empty: not given
  int stop_signal = 0;                       // 0: not given
  std::optional<uint64_t> ready_timeout;     // seconds
  std::optional<uint64_t> pairs;
  bool any_output = false;
  bool count = false;
  std::string qemu;

  bool is_wanted() const { return !runs[0].empty() || has_servers(); }
  bool has_servers() const { return !servers[0].empty(); }
};

// What the other options of `pgo verify` say.
struct RunsContext {
  bool has_profiles = false;         // BEFORE, AFTER, --before, --after
  bool has_profile_options = false;  // options that say how to compare these
  Limits limits;
  OutputArguments output;
};

void declare_runs(CommandLine& line, RunsArguments& arguments);

// Error: kUsage for an option of runs when profiles are compared.
Result<void> refuse_options_of_runs(const RunsArguments& arguments);

// Runs both commands, compares and reports.
Result<ExitCode> run_programs(const RunsArguments& arguments, const RunsContext& context);

ExitCode exit_code_of(Outcome outcome);

}  // namespace pgo
