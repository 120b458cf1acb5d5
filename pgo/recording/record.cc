#include "pgo/recording/record.h"

#include <filesystem>

#include "converters/perf_data/recording.h"
#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/record/emulate.h"
#include "pgo/record/step_recorder.h"
#include "pgo/source/file_identity.h"

namespace pgo {
namespace {

// What may be written: which event perf can record is not known yet.
std::vector<std::string> output_paths(const RecordRequest& request) {
  std::vector<std::string> paths{request.output};
  const bool counts_branches =
      request.engine == EngineWish::kAny || request.engine == EngineWish::kPerf;
  if (counts_branches && request.clock_recording) paths.push_back(clock_path(request.output));
  return paths;
}

Result<void> check_outputs(const RecordRequest& request) {
  for (const std::string& path : output_paths(request)) {
    if (!request.command.empty()) {
      std::optional<std::string> program = find_program(request.command[0], request.search_path);
      if (program && is_same_file(path, *program))
        return fail(ErrorKind::kUsage, "\xFF{output} " + request.output +
                                           " would replace the program that is recorded");
    }
    for (const PlannedFile& other : request.other_files)
      if (identity_of(other.path) == identity_of(path))
        return fail(ErrorKind::kUsage,
                    path + " would be written twice, by \xFF{output} and by " + other.asked_by);
  }
  // The output is checked by whatever writes it.
  for (const PlannedFile& other : request.other_files)
    PGO_CHECK(AtomicFile::check_writable(other.path));
  return ok();
}

// What can be known to be wrong before anything is run.
Result<void> check(const RecordRequest& request) {
  if (request.output == "-")
    return fail(ErrorKind::kUsage,
                "\xFF{output} -: a recording is written as a file and cannot be streamed; name a "
                "file (one that is called - is ./-)");
  if (request.command.empty() && !request.pid)
    return fail(ErrorKind::kUsage,
                "there is no command to record: put it after --, or use \xFF{pid}");
  if (request.overhead && request.engine != EngineWish::kStep)
    return fail(ErrorKind::kUsage, "\xFF{overhead} is for \xFF{engine} step");
  PGO_CHECK(check_outputs(request));
  if (request.pid && request.engine != EngineWish::kEmulate && request.engine != EngineWish::kStep)
    return check_process(*request.pid, request.search_path);
  return ok();
}

// A failure with the other engines, which may record here what was asked for: the clock needs perf,
// and single steps and emulation run a command from its start.
Error with_other_engines(Error error, const RecordRequest& request) {
  const EngineWish wish = request.engine;
  if (error.kind != ErrorKind::kUnsupported || wish == EngineWish::kEmulate ||
      wish == EngineWish::kStep)
    return error;
  const bool clock = wish != EngineWish::kClock && find_program("perf", request.search_path);
  const bool emulation = !request.pid;
  if (!clock && !emulation) return error;
  if (!error.advice.empty()) error.advice += "; or ";
  if (clock && emulation)
    error.advice +=
        "record on any machine: PC samples (\xFF{engine} clock), or exact branches by single steps "
        "(\xFF{engine} step) or under emulation (\xFF{engine} emulate)";
  else if (clock)
    error.advice += "record PC samples, on any machine (\xFF{engine} clock)";
  else
    error.advice +=
        "record by single steps (\xFF{engine} step) or under emulation (\xFF{engine} emulate)";
  return error;
}

// Who ends this while perf is tried hears that it was too early.
Result<ChosenEngine> find_engine(const RecordRequest& request) {
  DeferredTermination termination;
  Result<ChosenEngine> chosen = choose_engine(request.engine, request.search_path);
  if (termination.any()) request.ended_early();
  return chosen;
}

Result<RecordResult> record_under_emulation(const RecordRequest& request) {
  if (request.pid)
    return fail(ErrorKind::kUsage,
                "\xFF{pid} needs \xFF{engine} perf or clock: emulation runs a command from its "
                "start");
  EmulationOptions emulation;
  emulation.command = request.command;
  emulation.output = request.output;
  const uint64_t usual_period = emulation.period;
  emulation.period = request.period.value_or(usual_period);
  emulation.emulator.plugin = request.plugin;
  emulation.emulator.qemu = request.qemu;
  emulation.emulator.search_path = request.search_path;
  emulation.emulator.otherwise = "use \xFF{engine} perf";
  emulation.starting = [&] {
    RecordStart start;
    start.engine = UsedEngine::kEmulate;
    start.period = emulation.period;
    start.usual_period = usual_period;
    request.starting(start);
  };
  PGO_TRY(EmulatedRun run, record_emulated(emulation));
  RecordResult result;
  result.engine = UsedEngine::kEmulate;
  result.period = emulation.period;
  result.samples = run.totals.samples;
  result.exit_status = run.exit_status;
  result.totals = std::move(run.totals);
  return result;
}

Result<RecordResult> record_by_steps(const RecordRequest& request) {
  if (request.pid)
    return fail(ErrorKind::kUsage,
                "\xFF{pid} needs \xFF{engine} perf or clock: single steps need a command that is "
                "started here");
  StepOptions steps;
  steps.command = request.command;
  steps.output = request.output;
  const uint64_t usual_period = steps.period;
  steps.period = request.period.value_or(usual_period);
  if (request.overhead) steps.overhead = static_cast<uint32_t>(*request.overhead);
  steps.library = request.plugin;
  steps.search_path = request.search_path;
  steps.starting = [&] {
    RecordStart start;
    start.engine = UsedEngine::kStep;
    start.period = steps.period;
    start.usual_period = usual_period;
    request.starting(start);
  };
  PGO_TRY(StepRun run, record_stepped(steps));
  RecordResult result;
  result.engine = UsedEngine::kStep;
  result.period = steps.period;
  result.samples = run.totals.samples;
  result.exit_status = run.exit_status;
  result.totals = std::move(run.totals);
  result.step_share = run.spent_share;
  result.user_seconds = run.user_seconds;
  result.sampled_seconds = run.sampled_seconds;
  result.samples_without_branches = run.clock_samples;
  return result;
}

// 0 also for what cannot be read.
uint64_t count_samples(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return 0;
  Result<perf_data::Recording> recording = perf_data::scan_recording(file->bytes(), path, {});
  return recording ? recording->sample_records : 0;
}

Result<RecordResult> record_by_perf(const RecordRequest& request, const PerfSetup& setup) {
  RecordResult result;
  result.engine = setup.recipe.branch_stacks ? UsedEngine::kPerf : UsedEngine::kClock;
  result.period = request.period.value_or(setup.recipe.period);

  PerfOptions perf;
  perf.command = request.command;
  perf.output = request.output;
  if (setup.cost && request.clock_recording) perf.cost_output = clock_path(request.output);
  perf.period = request.period;
  if (request.pid) perf.pids = {*request.pid};
  perf.printed = request.printed;
  perf.starting = [&] {
    RecordStart start{result.engine,
                      result.period,
                      setup.recipe.period,
                      setup.recipe.explanation,
                      {},
                      perf_command(setup, perf)};
    if (!perf.cost_output.empty()) start.cost_explanation = setup.cost->explanation;
    request.starting(start);
  };
  PGO_TRY(PerfRun run, record_with_perf(setup, perf));
  result.samples = count_samples(request.output);
  result.exit_status = run.exit_status;
  result.diagnostics = std::move(run.diagnostics);
  if (run.has_cost) {
    result.clock_output = perf.cost_output;
    result.clock_samples = count_samples(perf.cost_output);
  }
  return result;
}

}  // namespace

std::string clock_path(const std::string& output) {
  std::filesystem::path path(output);
  const std::string extension = path.extension().string();
  return path.replace_extension(".clock" + extension).string();
}

Result<RecordResult> record(const RecordRequest& request) {
  PGO_CHECK(check(request));
  Result<ChosenEngine> chosen = find_engine(request);
  if (!chosen) return fail(with_other_engines(chosen.error(), request));
  if (chosen->engine == RecordEngine::kEmulate) return record_under_emulation(request);
  if (chosen->engine == RecordEngine::kStep) return record_by_steps(request);
  return record_by_perf(request, chosen->perf);
}

}  // namespace pgo
