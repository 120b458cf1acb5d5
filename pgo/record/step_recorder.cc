#include "pgo/record/step_recorder.h"

#include <sys/resource.h>

#include <chrono>
#include <string_view>

#include "pgo/base/number_text.h"
#include "pgo/base/program_start.h"
#include "pgo/profile/quality.h"
#include "pgo/record/foreground.h"
#include "pgo/record/installed_library.h"
#include "pgo/record/plugin/note_list.h"
#include "pgo/record/program_file.h"
#include "pgo/record/recording_assembly.h"
#include "pgo/record/recording_output.h"
#include "pgo/record/step_part.h"
#include "pgo/record/step_table.h"
#include "pgo/record/step_trial.h"
#include "pgo/record/stepped_program.h"

namespace pgo {
namespace {

constexpr std::chrono::milliseconds kInterval{100};  // between two looks at the table
// 64 steps are about ten branches. Longer bursts would lose fewer of the ranges at their ends, but
// at the same cost there would be fewer of them, from fewer places.
constexpr uint32_t kStepsPerBurst = 64;
// A quarter is left for the timers, and for what a burst costs the caches.
uint32_t bursts_per_mille(uint32_t overhead_percent) { return overhead_percent * 75 / 10; }

constexpr std::string_view kPreload = "LD_PRELOAD=";

// In front of what is preloaded already: then what those libraries do to signals is seen as well.
std::vector<std::string> make_environment(const std::string& library, const std::string& table) {
  std::vector<std::string> environment = current_environment();
  std::string preload = std::string(kPreload) + library;
  std::erase_if(environment, [&](const std::string& variable) {
    if (!variable.starts_with(kPreload)) return false;
    if (variable.size() > kPreload.size()) preload += ":" + variable.substr(kPreload.size());
    return true;
  });
  environment.push_back(preload);
  environment.push_back(std::string(PRODPGO_TABLE_VARIABLE) + "=" + table);
  return environment;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// CPU time of the processes that have ended.
struct CommandTime {
  double user = 0, kernel = 0;  // seconds

  static CommandTime so_far() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return {seconds_of(usage.ru_utime), seconds_of(usage.ru_stime)};
  }
};

// The dynamic loader takes spaces and colons for separators.
Result<void> check_library_path(const std::string& library) {
  if (library.find_first_of(" :") == std::string::npos) return ok();
  return fail(ErrorKind::kUnsupported,
              library + ": a library whose path has a space or a colon cannot be preloaded",
              "install ProdPGO elsewhere");
}

void add_notes(const StepPart& part, uint64_t lost, RecordingTotals& totals) {
  for (const std::string& note : part.notes()) {
    if (totals.notes.size() < kMaxNotes)
      totals.notes.push_back(note);
    else
      totals.further_notes++;
  }
  if (part.blocked_threads() > 0)
    totals.notes.push_back(format_count(part.blocked_threads(), "thread") +
                           " of the command began with signals blocked and may have no samples");
  if (lost > 0)
    totals.notes.push_back(format_count(lost, "sample") + " were lost: the table was full");
}

}  // namespace

Result<std::string> find_step_library(const std::string& given) {
  PGO_TRY(std::string library,
          find_installed_library("prodpgo_stepper.so", given, "the library that steps"));
  PGO_CHECK(check_library_path(library));
  return library;
}

Result<StepRun> record_stepped(const StepOptions& options) {
  PGO_TRY(ProgramFile program, find_program_file(options.command, options.search_path));
  PGO_CHECK(check_stepped_program(program));
  PGO_TRY(std::string library, find_step_library(options.library));
  PGO_TRY(StepCost cost, try_steps());
  Foreground foreground;
  PGO_TRY(RecordingOutput output, RecordingOutput::prepare(options.output));
  PGO_TRY(StepTable table,
          StepTable::create(output.file("table"),
                            {options.period, kStepsPerBurst, bursts_per_mille(options.overhead),
                             cost.ticks_per_ms, cost.step_ticks}));
  const std::string first_part = output.file("part");
  PGO_TRY(StepPart part, StepPart::begin(first_part, options.period));
  options.starting();

  const CommandTime before = CommandTime::so_far();
  PGO_TRY(int exit_status, foreground.run_watched(program.command, options.command,
                                                  make_environment(library, table.path()),
                                                  kInterval, [&] { part.add(table.take_new()); }));
  table.close();
  part.add(table.take_rest());
  part.end();

  StepRun run{.exit_status = exit_status, .totals = {}};
  PGO_TRY(run.totals,
          assemble_recording(output, first_part, {options.command, std::string(kSteppedEvent)}));
  run.clock_samples = part.clock_samples();
  add_notes(part, table.lost_samples(), run.totals);
  const CommandTime after = CommandTime::so_far();
  run.user_seconds = after.user - before.user;
  run.sampled_seconds = static_cast<double>(part.sampled_time()) / 1e9;
  const double seconds = run.user_seconds + after.kernel - before.kernel;
  if (seconds > 0) run.spent_share = table.spent_seconds() / seconds;
  return run;
}

}  // namespace pgo
