// pgo bolt: a linked binary optimized by llvm-bolt, or, when anything is wrong, the binary as it
// was. From arguments to an OptimizeRequest, and from its result to what is printed.

#include <memory>

#include "pgo/cli/arguments/binary_from.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/convert/output_plan.h"
#include "pgo/postlink/optimization.h"
#include "pgo/report/json_text.h"
#include "pgo/report/optimize_report.h"

namespace pgo {
namespace {

struct BoltCommand {
  OptimizeRequest request;
  std::string time;                            // FIRST,LAST
  unsigned timeout = kDefaultTimeout.count();  // seconds
  RegistryArguments registry;
  bool json = false;
  BinaryFrom binary_from;
};

Result<OptimizeResult> run(BoltCommand& command) {
  OptimizeRequest& request = command.request;
  request.timeout = std::chrono::seconds(command.timeout);
  PGO_TRY(request.read.time, parse_time_window(command.time));
  FetchedInputs fetched(command.registry);
  for (std::string& profile : request.profiles)
    PGO_CHECK(fetched.replace_bolt_profile(profile, binary_name(request.input), request.stale));
  PGO_CHECK(fetched.replace(request.profiles, {}));
  PGO_CHECK(command.binary_from.find_bolted(command.registry, request.profiles, request.read.jobs,
                                            request.input, request.recorded));
  return with_progress(request.progress, [&] { return optimize(request); });
}

// Figures go to standard output, all else to standard error.
Result<ExitCode> show(const OptimizeResult& result, const BoltCommand& command) {
  bool nothing = result.delivered == Delivered::kNothing;
  if (result.failure && nothing)
    report_error(optimize_failure(result));
  else if (result.failure)
    print_warning(error_text(optimize_failure(result)));
  print(optimize_messages(result));
  const std::string json = json_text(json_with_option_words(optimize_report_json(result)));
  const std::string text = result.failure ? "" : format_optimize_report(result);
  std::vector<FileContents> files;
  if (const std::string& report = command.request.report; !report.empty())
    files.push_back({report, json});
  if (command.json || !text.empty()) files.push_back({"-", command.json ? json : text});
  PGO_CHECK(write_files(files));
  if (result.failure) print({delivery_message(result)});
  return nothing ? kExitNo : kExitDone;
}

void declare_files(CommandLine& line, OptimizeRequest& request) {
  line.argument("IN", request.input,
                "The executable or shared library, linked with "
                "-Wl,--emit-relocs")
      .required()
      .type_name("");
  line.option("-o,--output", request.output, "The file to write; it may be IN")
      .required()
      .type_name("FILE")
      .group(kOutputGroup);
  line.option("--profile", request.profiles,
              "Recordings (perf.data) or pre-aggregated traces of IN: files, globs, directories,\n"
              "@LIST, bundles and sources of pgo fetch; may be given several times.\n"
              "Or one fdata or YAML profile of BOLT, also of a version (REFERENCE,\n"
              "pgo.lock#NAME)")
      .required()
      .type_name("P")
      .group(kInputGroup);
  line.option("-b,--binary", request.recorded,
              "The program or library that ran, if it is the output of llvm-bolt for IN")
      .type_name("FILE")
      .group(kBinaryGroup);
  line.option("--stale", request.stale,
              "The earlier build of IN that was profiled; its counts are transferred to the\n"
              "matching blocks of IN (default: the recorded build in the version that --profile\n"
              "names, if it has one)")
      .type_name("FILE")
      .group(kBinaryGroup);
}

void declare_checks(CommandLine& line, OptimizeRequest& request) {
  line.option("--check", request.check,
              "Run this shell command, with {} replaced by the result's path; it must exit with 0")
      .type_name("'CMD {}'")
      .group(kCheckGroup);
  line.option("--on-failure", request.on_failure,
              Words<OnFailure>{{"keep", OnFailure::kKeep},
                               {"keep-stale", OnFailure::kKeepStale},
                               {"error", OnFailure::kError}},
              "keep: write IN as it was, with a warning and exit code 0 (the default);\n"
              "keep-stale: as keep if most of the profile is of code that has changed since the\n"
              "recording, else as error;\n"
              "error: write nothing, exit code 1")
      .group(kCheckGroup);
  line.flag(
          "--allow-inferred", [&request] { request.inferred = InferredCounts::kAny; },
          "Also use inferred counts whose quality is below good, or if IN was built with a\n"
          "compile profile. Without this option they are refused in these cases")
      .group(kCheckGroup);
  line.option("--on-inferred", request.on_refused_counts,
              Words<OnFailure>{{"keep", OnFailure::kKeep}, {"error", OnFailure::kError}},
              "What happens when inferred counts are refused, whatever --on-failure says:\n"
              "keep: write IN as it was, with a warning and exit code 0;\n"
              "error: write nothing, exit code 1 (the default)")
      .group(kCheckGroup);
}

void declare_tools(CommandLine& line, BoltCommand& command) {
  OptimizeRequest& request = command.request;
  line.flag(
          "--no-bat", [&request] { request.table = TranslationTable::kLeaveOut; },
          "Leave out the address translation table. Recordings of the result can then not be\n"
          "converted to profiles (the table is not loaded when the program runs)")
      .group(kOutputGroup);
  add_timeout_option(line, command.timeout, "llvm-bolt, perf2bolt and CMD each");
  line.option("--llvm-bolt", request.llvm_bolt, "The llvm-bolt to run")
      .environment("PRODPGO_LLVM_BOLT")
      .type_name("FILE")
      .group(kToolGroup);
  add_perf2bolt_option(line, request.perf2bolt);
  add_jobs_option(line, request.read.jobs);
  line.option("--log", request.log,
              "Write all output of llvm-bolt and perf2bolt to this file, even if they fail")
      .type_name("FILE")
      .group(kOutputGroup);
}

}  // namespace

void declare_bolt(CommandLine& line) {
  auto command = std::make_shared<BoltCommand>();
  declare_files(line, command->request);
  add_binary_from_option(line, command->binary_from);
  declare_checks(line, command->request);
  add_sample_options(line, command->request.read, command->time);
  declare_tools(line, *command);
  add_report_option(line, command->request.report);
  add_json_option(line, command->json);
  line.argument("OPTIONS", command->request.extra_options, "Options for llvm-bolt itself, after --")
      .type_name("");
  add_registry_options(line, command->registry);
  line.footer(
      "The profile must be of exactly this IN, of the output of llvm-bolt for IN (--binary),\n"
      "or of the earlier build that --stale names.\n"
      "Exit code 0 does not mean that the output is optimized: see \"optimized\" in --json and "
      "--report.\n"
      "Examples:\n"
      "  pgo bolt server -o server.bolt --profile recordings/ --check '{} --self-test'\n"
      "  pgo bolt server -o server.bolt --profile new.data --binary server.bolt\n"
      "  pgo bolt server -o server.bolt --profile server.fdata -- -icf=all "
      "-split-strategy=cdsplit");
  line.run([command] {
    Result<OptimizeResult> result = run(*command);
    if (!result) return report_failure(result.error(), command->json);
    Result<ExitCode> shown = show(*result, *command);
    return shown ? *shown : report_error(shown.error());
  });
}

}  // namespace pgo
