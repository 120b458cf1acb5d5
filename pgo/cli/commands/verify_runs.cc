#include "pgo/cli/commands/verify_runs.h"

#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "pgo/base/subprocess.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/output_argument.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/convert/output_plan.h"
#include "pgo/paired_runs/count_runs.h"
#include "pgo/paired_runs/paired_runs.h"
#include "pgo/report/counted_runs_report.h"
#include "pgo/report/json_text.h"
#include "pgo/report/paired_runs_report.h"

namespace pgo {
namespace {

constexpr const char* kRunOptions = "--run-before and --run-after";
constexpr const char* kServeOptions = "--serve-before and --serve-after";

std::string side_options(const RunsArguments& arguments) {
  return arguments.has_servers() ? kServeOptions : kRunOptions;
}

Failure needs(const std::string& option, const std::string& others) {
  return fail(ErrorKind::kUsage, option + " needs " + others);
}

// An option of services that was given; empty: none.
std::string option_of_services(const RunsArguments& arguments) {
  if (!arguments.ready.empty()) return "--ready";
  if (!arguments.load.empty()) return "--load";
  if (arguments.stop_signal != 0) return "--stop";
  return arguments.ready_timeout ? "--ready-timeout" : "";
}

// The options of runs and services agree with each other.
Result<void> check_options_of_runs(const RunsArguments& arguments) {
  if (arguments.has_servers() && !arguments.runs[0].empty())
    return fail(ErrorKind::kUsage, std::string("compare either runs or services: ") + kRunOptions +
                                       " cannot be combined with " + kServeOptions);
  const auto& commands = arguments.has_servers() ? arguments.servers : arguments.runs;
  if (commands[1].empty()) return fail(ErrorKind::kUsage, "give both " + side_options(arguments));
  const std::string service_option = option_of_services(arguments);
  if (!arguments.has_servers() && !service_option.empty())
    return needs(service_option, kServeOptions);
  if (arguments.has_servers() && (arguments.ready.empty() || arguments.load.empty()))
    return fail(ErrorKind::kUsage,
                std::string(kServeOptions) +
                    " need --ready and --load: a command that succeeds once the server is ready, "
                    "and one that loads it");
  if (arguments.has_servers() && arguments.any_output)
    return fail(ErrorKind::kUsage, std::string("--any-output cannot be combined with ") +
                                       kServeOptions + ": what loads print is not compared");
  if (arguments.count && arguments.pairs)
    return fail(ErrorKind::kUsage,
                "--pairs cannot be combined with --count, which runs each "
                "command " +
                    std::to_string(kCountedRuns) + " times");
  if (!arguments.count && !arguments.qemu.empty()) return needs("--qemu", "--count");
  return ok();
}

Result<void> check_runs_usage(const RunsArguments& arguments, const RunsContext& context) {
  PGO_CHECK(check_options_of_runs(arguments));
  const std::string options = side_options(arguments);
  const char* what = arguments.has_servers() ? "services" : "runs";
  if (context.has_profiles)
    return fail(ErrorKind::kUsage,
                std::string("compare either profiles or ") + what +
                    ": profiles (BEFORE, AFTER, --before, --after) cannot be combined with " +
                    options);
  if (context.has_profile_options)
    return fail(ErrorKind::kUsage,
                "options of profiles (units of work, labels, binaries, debug files, functions, "
                "threads) cannot be combined with " +
                    options);
  return ok();
}

Result<std::vector<OutputSpec>> parse_runs_outputs(const RunsContext& context) {
  const std::vector<std::string>& arguments = context.output.outputs;
  PGO_TRY(std::vector<OutputSpec> outputs, parse_outputs(arguments, FormatUse::kVerify));
  for (size_t i = 0; i < outputs.size(); i++)
    if (outputs[i].format == Format::kFlamePage)
      return fail(
          ErrorKind::kUsage,
          "-o " + arguments[i] +
              ": a flame graph needs profiles; what runs cost is written as Markdown (.md), "
              "JSON (.json), JUnit XML (.xml) or benchmark:PATH");
  return outputs;
}

// Before anything runs. The first words of the commands are programs, as a rule.
Result<void> check_runs_plan(const RunsArguments& arguments, const RunsContext& context,
                             const std::vector<OutputSpec>& outputs) {
  std::vector<PlannedFile> planned = planned_files(context.output, outputs);
  if (!context.output.json && outputs.empty()) planned.push_back({"-", "standard output"});
  std::vector<std::string> programs;
  for (const std::string& command : arguments.has_servers() ? arguments.servers : arguments.runs)
    programs.push_back(command.substr(0, command.find_first_of(" \t")));
  return check_plan(planned, programs);
}

PairedRunsRequest request_of(const RunsArguments& arguments, const Limits& limits) {
  PairedRunsRequest request;
  request.commands = arguments.runs;
  request.limits = limits;
  request.compare_outputs = !arguments.any_output;
  request.search_path = search_path_from_environment();
  if (arguments.pairs) request.max_pairs = *arguments.pairs;
  if (!arguments.has_servers()) return request;
  request.commands = arguments.servers;
  ServiceRequest service{.ready = arguments.ready, .load = arguments.load};
  if (arguments.stop_signal != 0) service.stop_signal = arguments.stop_signal;
  if (arguments.ready_timeout)
    service.ready_timeout = std::chrono::seconds(*arguments.ready_timeout);
  request.service = service;
  return request;
}

// A result in all forms.
struct RunsReport {
  Outcome outcome = Outcome::kInconclusive;
  std::string sentence, text, markdown, junit;
  nlohmann::json json, benchmark;
  std::vector<Message> messages;

  std::string as(Format format) const {
    switch (format) {
      case Format::kMarkdown: return with_option_words(markdown);
      case Format::kJunit: return with_option_words(junit);
      case Format::kBenchmark: return json_text(benchmark);
      default: return json_text(json_with_option_words(json));
    }
  }
};

Result<RunsReport> time_programs(const PairedRunsRequest& request) {
  PGO_TRY(PairedRunsResult result, run_pairs(request));
  result.diagnostics = with_option_words(result.diagnostics);
  const Limits& limits = request.limits;
  return RunsReport{.outcome = result.outcome,
                    .sentence = runs_sentence(result, limits),
                    .text = runs_text(result, limits),
                    .markdown = runs_markdown(result, limits),
                    .junit = runs_junit(result, limits),
                    .json = runs_json(result, limits),
                    .benchmark = runs_benchmark_json(result),
                    .messages = runs_messages(result)};
}

Result<RunsReport> count_programs(const PairedRunsRequest& request, const std::string& qemu) {
  EmulatorOptions emulator;
  emulator.qemu = qemu;
  emulator.search_path = request.search_path;
  emulator.otherwise = "compare times (without \xFF{count})";
  PGO_TRY(CountedRunsResult result, count_runs(request, emulator));
  result.diagnostics = with_option_words(result.diagnostics);
  const Limits& limits = request.limits;
  return RunsReport{.outcome = result.outcome,
                    .sentence = counts_sentence(result, limits),
                    .text = counts_text(result, limits),
                    .markdown = counts_markdown(result, limits),
                    .junit = counts_junit(result, limits),
                    .json = counts_json(result, limits),
                    .benchmark = counts_benchmark_json(result),
                    .messages = messages_of(result.diagnostics)};
}

Result<void> write_report(const RunsReport& report, const RunsContext& context,
                          const std::vector<OutputSpec>& outputs) {
  MadeFiles files;
  for (const OutputSpec& output : outputs) files.add(output.path, report.as(output.format));
  if (!context.output.report.empty()) files.add(context.output.report, report.as(Format::kJson));
  if (context.output.json) files.add("-", report.as(Format::kJson));
  if (!context.output.json && outputs.empty()) files.add("-", with_option_words(report.text));
  return write_files(files.files());
}

void declare_services(CommandLine& line, RunsArguments& arguments) {
  const char* group = "Services instead of profiles";
  line.option(
          "--serve-before", arguments.servers[0],
          "Start this server (the old build) and that of --serve-after alternately, load each,\n"
          "and compare the CPU time of their processes during the load")
      .type_name("COMMAND")
      .group(group);
  line.option("--serve-after", arguments.servers[1], "The same server of the new build")
      .type_name("COMMAND")
      .needs("--serve-before")
      .group(group);
  line.option("--ready", arguments.ready,
              "A command that succeeds once the server is ready; tried repeatedly")
      .type_name("COMMAND")
      .group(group);
  line.option(
          "--load", arguments.load,
          "A command that loads the server with a fixed amount of work, such as\n"
          "'h2load -n 10000 URL'. If it prints how many requests it did, as h2load, wrk, ab and\n"
          "hey do, the CPU time per request is compared")
      .type_name("COMMAND")
      .group(group);
  line.option("--stop", arguments.stop_signal,
              Words<int>{{"TERM", SIGTERM},
                         {"INT", SIGINT},
                         {"QUIT", SIGQUIT},
                         {"HUP", SIGHUP},
                         {"USR1", SIGUSR1},
                         {"USR2", SIGUSR2},
                         {"KILL", SIGKILL}},
              "The signal that stops the server; TERM by default")
      .group(group);
  line.option("--ready-timeout", arguments.ready_timeout,
              "How long to wait for --ready, in seconds")
      .whole_number(1, 86'400)
      .default_text("60")
      .group(group);
}

}  // namespace

void declare_runs(CommandLine& line, RunsArguments& arguments) {
  const char* group = "Runs instead of profiles";
  line.option("--run-before", arguments.runs[0],
              "Run this command (the old build) and that of --run-after alternately, and compare\n"
              "their CPU time")
      .type_name("COMMAND")
      .group(group);
  line.option("--run-after", arguments.runs[1], "The same command with the new build")
      .type_name("COMMAND")
      .needs("--run-before")
      .group(group);
  line.flag("--any-output", arguments.any_output, "Accept commands that print different output")
      .group(group);
  declare_services(line, arguments);
  group = "Runs and services";
  line.option(
          "--pairs", arguments.pairs,
          "Maximum number of pairs of runs, at least 7; pgo stops earlier if fewer pairs decide")
      .whole_number(1, 100'000)
      .default_text("35")
      .group(group);
  line.flag("--count", arguments.count,
            "Count instructions and taken branches under emulation (x86-64) instead of\n"
            "measuring time: the load of the machine does not matter, but counts are not cost")
      .group(group);
  line.option("--qemu", arguments.qemu, "The qemu-x86_64 to run for --count")
      .type_name("FILE")
      .group(group);
}

Result<void> refuse_options_of_runs(const RunsArguments& arguments) {
  const std::string service_option = option_of_services(arguments);
  if (!service_option.empty()) return needs(service_option, kServeOptions);
  if (arguments.any_output) return needs("--any-output", kRunOptions);
  const char* option = arguments.pairs           ? "--pairs"
                       : arguments.count         ? "--count"
                       : !arguments.qemu.empty() ? "--qemu"
                                                 : nullptr;
  if (option == nullptr) return ok();
  return needs(option, std::string(kRunOptions) + ", or " + kServeOptions);
}

Result<ExitCode> run_programs(const RunsArguments& arguments, const RunsContext& context) {
  PGO_CHECK(check_runs_usage(arguments, context));
  PGO_TRY(std::vector<OutputSpec> outputs, parse_runs_outputs(context));
  PGO_CHECK(check_runs_plan(arguments, context, outputs));
  PairedRunsRequest request = request_of(arguments, context.limits);
  PGO_TRY(RunsReport report, with_progress(request.progress, [&] {
            return arguments.count ? count_programs(request, arguments.qemu)
                                   : time_programs(request);
          }));
  PGO_CHECK(write_report(report, context, outputs));
  print(report.messages);
  if (context.output.json || !outputs.empty()) print_note(report.sentence);
  return exit_code_of(report.outcome);
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
