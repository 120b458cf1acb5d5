// What `pgo verify` does with commands instead of profiles: the command line of run_pairs()
// (pgo/paired_runs/paired_runs.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/command.h"
#include "pgo/paired_runs/paired_runs.h"

namespace pgo {

class CommandLine;

struct RunsArguments {
  PairedRunsRequest request;  // commands are empty: profiles are compared
  std::optional<uint64_t> pairs;
  bool any_output = false;

  bool is_wanted() const { return !request.commands[0].empty(); }
};

// What the other options of `pgo verify` say.
struct RunsContext {
  bool has_profiles = false;         // BEFORE, AFTER, --before, --after
  bool has_profile_options = false;  // options that say how to compare these
  Limits limits;
  std::vector<std::string> outputs;
  std::string report;
  bool json = false;
};

void declare_runs(CommandLine& line, RunsArguments& arguments);

// Error: kUsage for an option of runs when profiles are compared.
Result<void> refuse_options_of_runs(const RunsArguments& arguments);

// Runs both commands, compares and reports.
Result<ExitCode> run_programs(RunsArguments& arguments, const RunsContext& context);

ExitCode exit_code_of(Outcome outcome);

}  // namespace pgo
