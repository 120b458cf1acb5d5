// pgo record: runs a command, or watches a process, and leaves a perf.data with branch stacks, or
// with samples of where time went.
//
//   pgo record [-o FILE] [--engine perf|clock|emulate] [--period N] [--pid P] [--no-clock]
//              [--report FILE] [--json] [--verbose] [-- COMMAND...]
//
// Beside branch records, a second recording takes clock samples, because samples of branches do not
// measure cost. The engine and the recipe are printed to standard error before the command
// starts, and the result after it has ended. The command's streams and its exit status are passed
// through.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "converters/perf_data/recording.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/number_text.h"
#include "pgo/base/shell_word.h"
#include "pgo/base/subprocess.h"
#include "pgo/cli/command.h"
#include "pgo/cli/command_line.h"
#include "pgo/cli/shared_options.h"
#include "pgo/cli/written_files.h"
#include "pgo/record/emulate.h"
#include "pgo/record/engine.h"
#include "pgo/report/json_text.h"
#include "pgo/source/file_identity.h"

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
  std::string report;     // the result as JSON goes there
  bool no_clock = false;  // do not make the second recording, of clock samples
  bool json = false;
  bool verbose = false;
};

// The recording that was made, for --report and --json.
struct RecordResult {
  std::string engine;  // as --engine takes it
  uint64_t period = 0;
  uint64_t samples = 0;
  int exit_status = 0;
  std::string clock_output = {};  // the second recording, of clock samples; empty: none
  uint64_t clock_samples = 0;
};

// "server.clock.data" for "server.data".
std::string clock_path(const std::string& output) {
  std::filesystem::path path(output);
  const std::string extension = path.extension().string();
  return path.replace_extension(".clock" + extension).string();
}

Result<void> write_result(const RecordOptions& options, const RecordResult& result) {
  nlohmann::json figures = {{"output", options.output},
                            {"engine", result.engine},
                            {"period", result.period},
                            {"samples", result.samples},
                            {"exit_status", result.exit_status}};
  if (!result.clock_output.empty()) {
    figures["clock_output"] = result.clock_output;
    figures["clock_samples"] = result.clock_samples;
  }
  const std::string json = json_text(figures);
  std::vector<FileContents> files;
  if (!options.report.empty()) files.push_back({options.report, json});
  if (options.json) files.push_back({"-", json});
  return write_files(files);
}

// The exit code of a run that recorded.
int finish(const RecordOptions& options, const RecordResult& result) {
  Result<void> written = write_result(options, result);
  return written ? result.exit_status : report_error(written.error());
}

void report_totals(const RecordOptions& options, uint64_t period, const RecordingTotals& totals) {
  for (const std::string& note : totals.notes) print_warning(note);
  if (totals.further_notes > 0)
    print_warning("and " + format_count(totals.further_notes, "more like it", "more like these"));
  if (totals.samples == 0) {
    print_warning(options.output + " has no samples: " +
                  format_count(totals.taken_branches, "branch was", "branches were") +
                  " taken, one period is " + std::to_string(period) +
                  "; use a smaller --period or run the command for longer");
    return;
  }
  print_note(options.output + ": " + format_count(totals.samples, "sample") + " from " +
             format_count(totals.threads, "thread") + " in " +
             format_count(totals.processes, "process", "processes") + "; one for each " +
             std::to_string(period) + " taken branches of a thread");
}

// Profiles of what failed are of the wrong work, as often as not.
void report_exit(const RecordOptions& options, int exit_status) {
  if (options.command.empty() || exit_status == 0) return;
  constexpr int kSignalled = 128;
  std::string text =
      options.command[0] + " failed: it ended with exit code " + std::to_string(exit_status);
  int signal = exit_status - kSignalled;
  if (signal > 0 && signal < NSIG)
    text += ", as after signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  print_warning(text);
}

int record_under_emulation(const RecordOptions& options) {
  if (options.pid) {
    return report_failure(
        {ErrorKind::kUsage,
         "--pid needs --engine perf or clock: emulation runs a command from its start"},
        options.json);
  }
  EmulationOptions emulation;
  emulation.command = options.command;
  emulation.output = options.output;
  emulation.period = options.period.value_or(emulation.period);
  emulation.emulator.plugin = options.plugin;
  emulation.emulator.qemu = options.qemu;
  emulation.emulator.search_path = search_path_from_environment();
  emulation.emulator.otherwise = "use \xFF{engine} perf";
  emulation.starting = [] {
    print_note("recording under emulation: exact branch records, slower than native");
  };
  Result<EmulatedRun> run = record_emulated(emulation);
  if (!run) return report_failure(run.error(), options.json);
  report_totals(options, emulation.period, run->totals);
  report_exit(options, run->exit_status);
  return finish(options, {"emulate", emulation.period, run->totals.samples, run->exit_status});
}

uint64_t count_samples(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return 0;
  Result<perf_data::Recording> recording = perf_data::scan_recording(file->bytes(), path, {});
  return recording ? recording->sample_records : 0;
}

// Samples in the recording that was made, and a message about them: a command may end before the
// first. What perf prints with --verbose names a path beside the output, which is gone.
uint64_t report_samples(const RecordOptions& options, const PerfRecipe& recipe) {
  if (const uint64_t samples = count_samples(options.output)) {
    print_note(options.output + ": " + format_count(samples, "sample") +
               (options.verbose ? "; moved here from the path that perf names" : ""));
    return samples;
  }
  print_warning(options.output + " has no samples: one period is " +
                std::to_string(options.period.value_or(recipe.period)) +
                (recipe.branch_stacks ? " events" : " ns of CPU time") +
                "; use a smaller --period or record for longer");
  return 0;
}

// A number that is meant as samples per second, as perf's -F has it, is taken for nanoseconds.
void warn_of_short_period(const RecordOptions& options, const PerfRecipe& recipe) {
  constexpr uint64_t kShort = 10'000, kSecond = 1'000'000'000;  // nanoseconds
  if (recipe.branch_stacks || !options.period || *options.period >= kShort) return;
  print_warning("--period is in nanoseconds of CPU time here: " + std::to_string(*options.period) +
                " asks for " + format_count(kSecond / *options.period, "sample") +
                " a second, which slows down what is recorded; the default is " +
                std::to_string(recipe.period));
}

int record_by_perf(const RecordOptions& options, const PerfSetup& setup) {
  warn_of_short_period(options, setup.recipe);
  PerfOptions perf;
  perf.command = options.command;
  perf.output = options.output;
  if (setup.cost && !options.no_clock) perf.cost_output = clock_path(options.output);
  perf.period = options.period;
  perf.pid = options.pid;
  if (options.verbose) perf.printed = PerfOutput::kVerbose;
  perf.starting = [&] {
    print_note(
        "recording " + setup.recipe.explanation +
        (perf.cost_output.empty() ? "" : ", and " + setup.cost->explanation + " in a second file") +
        ": " + shell_line(perf_command(setup, perf)));
  };
  Result<PerfRun> run = record_with_perf(setup, perf);
  if (!run) return report_failure(run.error(), options.json);
  for (const std::string& warning : run->warnings) print_warning(warning);
  RecordResult result{.engine = setup.recipe.branch_stacks ? "perf" : "clock",
                      .period = perf.period.value_or(setup.recipe.period),
                      .samples = report_samples(options, setup.recipe),
                      .exit_status = run->exit_status,
                      .clock_output = run->has_cost ? perf.cost_output : ""};
  if (!result.clock_output.empty()) {
    result.clock_samples = count_samples(result.clock_output);
    print_note(result.clock_output + ": " + format_count(result.clock_samples, "sample") +
               " of CPU time; use these with pgo diff: branch samples do not measure cost");
  }
  report_exit(options, run->exit_status);
  return finish(options, result);
}

// A failure with the other engines, which may record here what was asked for: the clock needs perf,
// and emulation runs a command from its start.
Error with_other_engines(Error error, const RecordOptions& options) {
  const EngineWish wish = options.engine;
  if (error.kind != ErrorKind::kUnsupported || wish == EngineWish::kEmulate) return error;
  const bool clock =
      wish != EngineWish::kClock && find_program("perf", search_path_from_environment());
  const bool emulation = !options.pid;
  if (!clock && !emulation) return error;
  if (!error.advice.empty()) error.advice += "; or ";
  if (clock && emulation)
    error.advice +=
        "record on any machine: PC samples (--engine clock), or exact branches under "
        "emulation (--engine emulate)";
  else if (clock)
    error.advice += "record PC samples, on any machine (--engine clock)";
  else
    error.advice += "record under emulation (--engine emulate)";
  return error;
}

// Who ends this while perf is tried hears that it was too early.
Result<ChosenEngine> find_engine(const RecordOptions& options) {
  DeferredTermination termination;
  Result<ChosenEngine> chosen = choose_engine(options.engine, search_path_from_environment());
  if (termination.any())
    print_warning("ended before the recording had started: nothing was recorded");
  return chosen;
}

// What may be written: which event perf can record is not known yet.
std::vector<std::string> output_paths(const RecordOptions& options) {
  std::vector<std::string> paths{options.output};
  const bool counts_branches =
      options.engine == EngineWish::kAny || options.engine == EngineWish::kPerf;
  if (counts_branches && !options.no_clock) paths.push_back(clock_path(options.output));
  return paths;
}

// What can be known to be wrong before anything is run.
Result<void> check(const RecordOptions& options) {
  if (options.output == "-")
    return fail(ErrorKind::kUsage,
                "-o -: a recording is written as a file and cannot be streamed; name a file (one "
                "that is called - is ./-)");
  if (options.command.empty() && !options.pid)
    return fail(ErrorKind::kUsage, "there is no command to record: put it after --, or use --pid");
  if (!options.command.empty()) {
    std::optional<std::string> program =
        find_program(options.command[0], search_path_from_environment());
    for (const std::string& path : output_paths(options))
      if (program && is_same_file(path, *program))
        return fail(ErrorKind::kUsage,
                    "-o " + options.output + " would replace the program that is recorded");
  }
  for (const std::string& path : output_paths(options))
    if (!options.report.empty() && identity_of(options.report) == identity_of(path))
      return fail(ErrorKind::kUsage, path + " would be written twice, by -o and by --report");
  if (options.pid && options.engine != EngineWish::kEmulate)
    return check_process(*options.pid, search_path_from_environment());
  return ok();
}

int run_record(const RecordOptions& options) {
  Result<void> checked = check(options);
  if (!checked) return report_failure(checked.error(), options.json);
  Result<ChosenEngine> chosen = find_engine(options);
  if (!chosen) return report_failure(with_other_engines(chosen.error(), options), options.json);
  if (chosen->engine == RecordEngine::kEmulate) return record_under_emulation(options);
  return record_by_perf(options, chosen->perf);
}

}  // namespace

void declare_record(CommandLine& line) {
  auto options = std::make_shared<RecordOptions>();
  line.footer(
      "Exit code: that of the command, or 128 + the signal number if a signal ended it; also\n"
      "2 if nothing could be recorded.\n"
      "Examples:\n"
      "  pgo record -o server.data -- ./server --requests 1000\n"
      "  pgo record --engine clock -o server.data --pid $(pidof server) -- sleep 60\n"
      "  pgo record --engine emulate -o ci.data -- ./unit_tests   # works without LBR");
  line.option("-o,--output", options->output, "Write the recording to this file")
      .show_default()
      .type_name("FILE");
  line.option("--engine", options->engine,
              Words<EngineWish>{{"perf", EngineWish::kPerf},
                                {"clock", EngineWish::kClock},
                                {"emulate", EngineWish::kEmulate}},
              "perf: the processor's branch records (the default);\n"
              "clock: PC samples by CPU time, on any machine; branch counts are inferred;\n"
              "emulate: branch records from QEMU, on any x86-64 machine, 5 to 20 times slower");
  line.option("--period", options->period,
              "The sampling period: events (perf; the event is printed at the start), taken\n"
              "branches (emulate), or nanoseconds of CPU time (clock; default 250007)")
      .whole_number(1, std::numeric_limits<uint64_t>::max())
      .type_name("N");
  line.option("--pid", options->pid,
              "Record a running process until it ends, until ^C, or while COMMAND (sleep 60) runs")
      .whole_number(1, std::numeric_limits<int32_t>::max())
      .type_name("P");
  line.flag("--no-clock", options->no_clock,
            "When -o X.data contains branch records, do not also record CPU time to\n"
            "X.clock.data (the file to use with pgo diff and pgo verify)");
  line.flag("--verbose", options->verbose, "Also show what perf itself prints");
  line.option("--qemu", options->qemu, "The qemu-x86_64 to run").type_name("FILE");
  line.option("--plugin", options->plugin, "The QEMU plugin that records branches")
      .type_name("FILE");
  add_report_option(line, options->report);
  add_json_option(line, options->json);
  line.argument("COMMAND", options->command, "The command and its arguments, after --")
      .type_name("");
  line.run([options] { return run_record(*options); });
}

}  // namespace pgo
