// pgo record: runs a command, or watches a process, and leaves a perf.data with branch stacks.
//
//   pgo record [-o FILE] [--engine perf|emulate] [--period N] (--pid P | [--] COMMAND...)
//
// What is recorded with, and by which recipe, goes to standard error before the command starts;
// what came out, after it has ended. The command's streams and its exit status are passed through.
#include "pgo/cli/cmd_record.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/record/emulate.h"
#include "pgo/record/engine.h"

namespace pgo {
namespace {

struct RecordOptions {
  std::vector<std::string> command;
  EngineWish engine = EngineWish::kAny;
  std::string output = "perf.data";
  std::optional<uint64_t> period;
  std::optional<int64_t> pid;
  std::string plugin;
  std::string qemu;
};

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

int report_error(const Error& error) {
  std::fprintf(stderr, "pgo record: %s\n", error.message.c_str());
  return 2;
}

// A command line that a shell would read as the same words.
std::string quote(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    bool plain = !word.empty() && word.find_first_not_of(
                                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_-+=./,:@%") == std::string::npos;
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::string plural(uint64_t count, const char* singular, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? singular : several);
}

void report_totals(const RecordOptions& options, uint64_t period, const RecordingTotals& totals) {
  for (const std::string& note : totals.notes)
    std::fprintf(stderr, "pgo record: warning: %s\n", note.c_str());
  if (totals.further_notes > 0) {
    std::fprintf(stderr, "pgo record: warning: and %s\n",
                 plural(totals.further_notes, "more like it", "more like these").c_str());
  }
  if (totals.samples == 0) {
    std::fprintf(stderr,
                 "pgo record: warning: %s has no samples: %s taken, one period is %llu; use a "
                 "smaller --period or run the command for longer\n",
                 options.output.c_str(),
                 plural(totals.taken_branches, "branch was", "branches were").c_str(),
                 static_cast<unsigned long long>(period));
    return;
  }
  std::fprintf(stderr, "%s: %s from %s in %s; one for each %llu taken branches of a thread\n",
               options.output.c_str(), plural(totals.samples, "sample", "samples").c_str(),
               plural(totals.threads, "thread", "threads").c_str(),
               plural(totals.processes, "process", "processes").c_str(),
               static_cast<unsigned long long>(period));
}

int record_under_emulation(const RecordOptions& options) {
  if (options.pid) {
    return report_error(
        {ErrorKind::kUsage, "--pid needs --engine perf: emulation runs a command from its start"});
  }
  EmulationOptions emulation;
  emulation.command = options.command;
  emulation.output = options.output;
  emulation.period = options.period.value_or(emulation.period);
  emulation.plugin = options.plugin;
  emulation.qemu = options.qemu;
  emulation.search_path = search_path();
  std::fprintf(stderr, "recording under emulation (exact branch stacks; slower than native)\n");
  Result<EmulatedRun> run = record_emulated(emulation);
  if (!run) return report_error(run.error());
  report_totals(options, emulation.period, run->totals);
  return run->exit_status;
}

int record_by_perf(const RecordOptions& options, const PerfSetup& setup) {
  PerfOptions perf;
  perf.command = options.command;
  perf.output = options.output;
  perf.period = options.period;
  perf.pid = options.pid;
  std::fprintf(stderr, "recording %s:\n  %s\n", setup.recipe.explanation.c_str(),
               quote(perf_command(setup, perf)).c_str());
  Result<int> exit_status = record_with_perf(setup, perf);
  return exit_status ? *exit_status : report_error(exit_status.error());
}

int run_record(const RecordOptions& options) {
  if (options.command.empty() && !options.pid) {
    return report_error(
        {ErrorKind::kUsage, "there is no command to record: put it behind --, or use --pid"});
  }
  Result<ChosenEngine> chosen = choose_engine(options.engine, search_path());
  if (!chosen) return report_error(chosen.error());
  if (chosen->engine == RecordEngine::kEmulate) return record_under_emulation(options);
  return record_by_perf(options, chosen->perf);
}

}  // namespace

void add_record_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app.add_subcommand(
      "record", "Record branch stacks of a command or a process into a perf.data");
  command->footer(
      "Example:\n"
      "  pgo record -o server.perf -- ./server --requests 1000\n"
      "  pgo record --engine emulate -o ci.perf -- ./unit_tests   (no branch records needed)");
  command->add_option("-o,--output", options->output, "Where the recording goes")
      ->capture_default_str()
      ->type_name("FILE");
  const std::map<std::string, EngineWish> engines = {{"perf", EngineWish::kPerf},
                                                     {"emulate", EngineWish::kEmulate}};
  command
      ->add_option("--engine", options->engine,
                   "perf: the processor's branch records (the default);\n"
                   "emulate: QEMU, on any x86-64 machine, 3 to 10 times slower")
      ->transform(CLI::CheckedTransformer(engines).description(""))
      ->type_name("ENGINE");
  command->add_option("--period", options->period, "Events from one sample to the next")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  CLI::Option* pid =
      command->add_option("--pid", options->pid, "Record a running process until it ends or ^C")
          ->check(CLI::PositiveNumber)
          ->type_name("P");
  command->add_option("--qemu", options->qemu, "qemu-x86_64 to use")->type_name("FILE");
  command->add_option("--plugin", options->plugin, "Branch recorder to load into QEMU")
      ->type_name("FILE");
  command->add_option("COMMAND", options->command, "The command and its arguments, behind --")
      ->type_name("")
      ->excludes(pid);
  command->callback([options, &exit_status] { exit_status = run_record(*options); });
}

}  // namespace pgo
