#include "pgo/cli/verify_runs.h"

#include <nlohmann/json.hpp>

#include "pgo/cli/command_line.h"
#include "pgo/cli/comparison_options.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/output_argument.h"
#include "pgo/cli/progress_line.h"
#include "pgo/cli/shared_options.h"
#include "pgo/cli/written_files.h"
#include "pgo/convert/output_plan.h"
#include "pgo/report/json_text.h"
#include "pgo/report/paired_runs_report.h"

namespace pgo {
namespace {

Result<void> check_runs_usage(const RunsArguments& arguments, const RunsContext& context) {
  if (arguments.request.commands[1].empty())
    return fail(ErrorKind::kUsage, "give both --run-before and --run-after");
  if (context.has_profiles)
    return fail(
        ErrorKind::kUsage,
        "compare either profiles or runs: profiles (BEFORE, AFTER, --before, --after) cannot be "
        "combined with --run-before and --run-after");
  if (!context.outputs.empty())
    return fail(ErrorKind::kUsage,
                "-o cannot be combined with --run-before and --run-after; use --report FILE, which "
                "writes JSON");
  if (context.has_profile_options)
    return fail(ErrorKind::kUsage,
                "options of profiles (units of work, labels, binaries, functions) cannot be "
                "combined with --run-before and --run-after");
  return ok();
}

// Before anything runs. The first words of the commands are programs, as a rule.
Result<void> check_runs_plan(const RunsArguments& arguments, const RunsContext& context) {
  std::vector<PlannedFile> outputs;
  if (!context.report.empty()) outputs.push_back({context.report, "--report " + context.report});
  outputs.push_back({"-", context.json ? "--json" : "standard output"});
  std::vector<std::string> programs;
  for (const std::string& command : arguments.request.commands)
    programs.push_back(command.substr(0, command.find_first_of(" \t")));
  return check_plan(outputs, programs);
}

}  // namespace

void declare_runs(CommandLine& line, RunsArguments& arguments) {
  const char* group = "Runs instead of profiles";
  line.option("--run-before", arguments.request.commands[0],
              "Run this command (the old build) and that of --run-after in turn, and compare\n"
              "their CPU time")
      .type_name("COMMAND")
      .group(group);
  line.option("--run-after", arguments.request.commands[1], "The same command with the new build")
      .type_name("COMMAND")
      .needs("--run-before")
      .group(group);
  line.option("--pairs", arguments.pairs,
              "Maximum number of pairs of runs; pgo stops earlier if fewer pairs decide")
      .whole_number(1, 100'000)
      .needs("--run-before")
      .default_text("35")
      .group(group);
  line.flag("--any-output", arguments.any_output, "Accept commands that print different output")
      .group(group);
}

Result<void> refuse_options_of_runs(const RunsArguments& arguments) {
  if (arguments.any_output)
    return fail(ErrorKind::kUsage, "--any-output needs --run-before and --run-after");
  return ok();
}

Result<ExitCode> run_programs(RunsArguments& arguments, const RunsContext& context) {
  PGO_CHECK(check_runs_usage(arguments, context));
  PGO_CHECK(check_runs_plan(arguments, context));
  PairedRunsRequest& request = arguments.request;
  request.limits = context.limits;
  request.compare_outputs = !arguments.any_output;
  if (arguments.pairs) request.max_pairs = *arguments.pairs;
  std::optional<PairedRunsResult> result;
  {
    ProgressLine progress;
    request.progress = progress.listener();
    PGO_TRY(result, run_pairs(request));
  }
  const std::string json = json_text(runs_json(*result, request.limits));
  std::vector<FileContents> files;
  if (!context.report.empty()) files.push_back({context.report, json});
  const std::string text = runs_text(*result, request.limits);
  files.push_back({"-", context.json ? json : text});
  PGO_CHECK(write_files(files));
  print(runs_messages(*result));
  return exit_code_of(result->outcome);
}

ExitCode exit_code_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass: return kExitDone;
    case Outcome::kFail: return kExitNo;
    case Outcome::kInconclusive: return kExitInconclusive;
  }
  return kExitError;
}

}  // namespace pgo
