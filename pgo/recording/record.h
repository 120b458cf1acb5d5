// record(): records a command or a process with an engine that works on this machine.
//
//   RecordRequest request;
//   request.command = {"./server", "--once"};
//   request.starting = [](const RecordStart& start) { print(start.explanation); };
//   PGO_TRY(RecordResult result, record(request));      perf.data is there
//
// With branch records comes a second recording of clock samples, because samples of branches do not
// measure cost.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/convert/output_plan.h"
#include "pgo/record/engine.h"
#include "pgo/record/part_assembly.h"

namespace pgo {

// The engine that recorded.
enum class UsedEngine { kPerf, kClock, kStep, kEmulate };

// What is about to run.
struct RecordStart {
  UsedEngine engine = UsedEngine::kPerf;
  uint64_t period = 0, usual_period = 0;
  std::string explanation;                      // what is sampled: "taken branches, ..."
  std::optional<std::string> cost_explanation;  // of the second recording
  std::vector<std::string> perf_command;        // empty unless perf records
};

struct RecordRequest {
  std::vector<std::string> command;  // recorded; with `pid`, how long
  std::optional<int64_t> pid;
  EngineWish engine = EngineWish::kAny;
  std::string output = "perf.data";
  std::optional<uint64_t> period;  // in events, taken branches, or nanoseconds; none: the engine's
  // Percent of the CPU time that single steps may take; none: that of StepOptions.
  std::optional<uint64_t> overhead;
  bool clock_recording = true;  // the second one, beside branch records
  PerfOutput printed = PerfOutput::kQuiet;
  std::string qemu, plugin;  // empty: those that are found; with single steps, their library
  std::string search_path;   // directories separated by colons
  // What else the caller is going to write: it must be no output.
  std::vector<PlannedFile> other_files;
  // Called when all is there that recording needs.
  std::function<void(const RecordStart&)> starting = [](const RecordStart&) {};
  // Called when a request to end this process came before that; then it ends.
  std::function<void()> ended_early = [] {};
};

struct RecordResult {
  UsedEngine engine = UsedEngine::kPerf;
  uint64_t period = 0;
  uint64_t samples = 0;
  int exit_status = 0;            // the command's; 128 + the signal's number when a signal ended it
  std::string clock_output = {};  // the second recording; empty: none
  uint64_t clock_samples = 0;     // in that
  uint64_t samples_without_branches = 0;         // of `samples`, by single steps
  RecordingTotals totals = {};                   // under emulation and by single steps
  double step_share = 0;                         // of the CPU time, by single steps
  double user_seconds = 0, sampled_seconds = 0;  // by single steps, as in StepRun
  Diagnostics diagnostics = {};                  // of the files that were written
};

// "server.clock.data" for "server.data": where the second recording goes.
std::string clock_path(const std::string& output);

// The recordings appear whole or not at all. Errors: kUsage for a request that contradicts itself,
// or would replace what it records; kUnsupported when the engine cannot record here, with the other
// engines as advice; kIo.
Result<RecordResult> record(const RecordRequest& request);

}  // namespace pgo
