// pgo lock diff: the command line of diff_locks() (pgo/lock_diff/lock_diff.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/report/json_text.h"
#include "pgo/report/lock_diff_report.h"
#include "pgo/source/blob_cache.h"

namespace pgo {
namespace {

struct LockArguments {
  std::string action, old_side, new_side;
  std::string lock;
  RegistryArguments registry;
  OutputArguments output;
  std::vector<OutputSpec> files;  // parsed outputs
  LockDiffRequest request;
};

Result<void> read_sides(LockArguments& arguments, Diagnostics& diagnostics) {
  LockDiffRequest& request = arguments.request;
  const std::string& before = arguments.old_side.empty() ? "HEAD" : arguments.old_side;
  PGO_TRY(request.before, read_lock_side(before, arguments.lock, diagnostics));
  PGO_TRY(request.after, arguments.new_side.empty()
                             ? read_working_lock(arguments.lock, diagnostics)
                             : read_lock_side(arguments.new_side, arguments.lock, diagnostics));
  if (request.before.is_missing && request.after.is_missing)
    return fail(ErrorKind::kInput,
                request.before.name + " and " + request.after.name + ": there is no lock file",
                "--lock names another");
  for (const LockSide* side : {&request.before, &request.after})
    if (side->is_missing)
      diagnostics.warn("missing-lock",
                       side->name + ": there is no lock file, so it has no profiles");
  return ok();
}

Result<void> parse(LockArguments& arguments) {
  LockDiffRequest& request = arguments.request;
  arguments.lock = chosen_lock(arguments.lock);
  PGO_TRY(arguments.files, parse_outputs(arguments.output.outputs, FormatUse::kLockDiff));
  PGO_CHECK(check_plan(planned_files(arguments.output, arguments.files), {arguments.lock}));
  request.open = registry_opener(arguments.registry);
  if (request.cache.empty()) {
    PGO_TRY(request.cache, default_cache_directory());
  }
  return ok();
}

std::string json_of(const LockDiffResult& result) {
  return json_text(json_with_option_words(lock_diff_json(result)));
}

Result<ExitCode> run(LockArguments& arguments) {
  PGO_CHECK(parse(arguments));
  Diagnostics diagnostics;
  PGO_CHECK(read_sides(arguments, diagnostics));
  LockDiffResult result = diff_locks(arguments.request);
  result.diagnostics.add(diagnostics);
  result.diagnostics = with_option_words(result.diagnostics);
  MadeFiles files;
  for (const OutputSpec& output : arguments.files)
    files.add(output.path, output.format == Format::kMarkdown
                               ? with_option_words(lock_diff_markdown(result))
                               : json_of(result));
  const OutputArguments& wanted = arguments.output;
  if (!wanted.report.empty()) files.add(wanted.report, json_of(result));
  if (wanted.json || wanted.outputs.empty())
    files.add("-", wanted.json ? json_of(result) : lock_diff_text(result));
  PGO_CHECK(write_files(files.files()));
  print(lock_diff_messages(result));
  return kExitDone;
}

}  // namespace

void declare_lock(CommandLine& line) {
  auto options = std::make_shared<LockArguments>();
  LockDiffRequest& request = options->request;
  line.argument("ACTION", options->action, "diff: show what changed from OLD to NEW")
      .required()
      .one_of({"diff"});
  line.argument("OLD", options->old_side, "A lock file, or a git revision (default: HEAD)");
  line.argument("NEW", options->new_side,
                "The same (default: the lock file as it is in the working tree)");
  line.option(
          "--lock", options->lock,
          "The lock file to read in git revisions (default: the nearest pgo.lock, in the current\n"
          "directory or above it)")
      .group(kInputGroup);
  line.flag("--pull", request.wants_pull, "Fetch the profiles that are not in the cache")
      .group(kInputGroup);
  add_cache_option(line, request.cache);
  line.option("-o,--output", options->output.outputs,
              "Write this file instead of printing; may be given several times:\n" +
                  output_formats_help(FormatUse::kLockDiff))
      .group(kOutputGroup);
  line.option("--top", request.top, "Maximum number of functions of each profile")
      .show_default()
      .group(kOutputGroup);
  add_report_option(line, options->output.report);
  add_json_option(line, options->output.json);
  add_registry_options(line, options->registry);
  line.footer(
      "Compares LLVM and GCC profiles: the overlap adds up, over all positions in the code, the\n"
      "lower of the two shares. It does not say how much faster or slower a program becomes.\n"
      "Examples:\n"
      "  pgo lock diff\n"
      "  pgo lock diff HEAD~1 HEAD --pull\n"
      "  pgo lock diff origin/main -o profiles.md\n"
      "  pgo lock diff old/pgo.lock new/pgo.lock --json");
  line.run([options] { return report_any_failure(run(*options), options->output.json); });
}

}  // namespace pgo
