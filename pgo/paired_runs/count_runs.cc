#include "pgo/paired_runs/count_runs.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/paired_runs/command_run.h"
#include "pgo/verdict/cost_verdict.h"

namespace pgo {
namespace {

struct CountedTurn {
  EventCounts counts;
  std::string output;
  uint64_t requests = 0;  // that the load did; 0: not known, or no service
  Diagnostics diagnostics;
};

// One side's command as QEMU runs it, and the file of its counts.
struct CountedCommand {
  std::string name;
  Emulator emulator;
  EmulatorCommand command;
  std::string file;
};

Result<CountedCommand> prepare(const std::string& command, const Emulator& emulator,
                               const EmulatorOptions& options, const std::string& file) {
  PGO_TRY(EmulatedProgram program, resolve_command(shell_command(command), options));
  return CountedCommand{command, emulator,
                        emulator_command(emulator, program, options, {.output = file}), file};
}

CountedTurn counted_turn(const CountedCommand& command, CountedEvents events) {
  CountedTurn turn{.counts = events.counts, .output = {}, .diagnostics = {}};
  for (const std::string& note : command.command.notes)
    turn.diagnostics.warn("not-passed-on", note);
  // Of the others, only the number is known.
  for (size_t i = 0; i < events.notes.size(); i++)
    turn.diagnostics.warn("not-counted", events.notes[i], 1 + (i == 0 ? events.further_notes : 0));
  return turn;
}

Result<CountedTurn> count_command(const CountedCommand& command) {
  PGO_TRY(ProcessResult finished,
          run_subprocess_in(command.command.environment, command.command.arguments));
  if (::access(command.file.c_str(), F_OK) != 0)
    return did_not_start(command.emulator, finished.exit_status, "count");
  PGO_CHECK(check_success(command.name, finished));
  PGO_TRY(CountedEvents events, read_event_counts(command.file));
  CountedTurn turn = counted_turn(command, std::move(events));
  turn.output = std::move(finished.output);
  return turn;
}

// The server may still work when the load has its last answer, so its end is waited for.
Result<CountedTurn> count_service(const CountedCommand& command, const ServiceRequest& request) {
  PGO_TRY(std::unique_ptr<Service> service,
          Service::start(command.name, {command.command.arguments, command.command.environment}));
  PGO_CHECK(service->wait_until_ready(request));
  PGO_CHECK(service->load(request.load));  // warms up
  PGO_TRY(CountedEvents before, read_event_counts(command.file));
  PGO_TRY(const ProcessResult load, service->load(request.load));
  Diagnostics diagnostics;
  service->stop(request, diagnostics);
  PGO_TRY(CountedEvents after, read_event_counts(command.file));
  CountedTurn turn = counted_turn(command, std::move(after));
  turn.requests = done_requests(load.output);
  turn.counts.instructions -= before.counts.instructions;
  turn.counts.taken_branches -= before.counts.taken_branches;
  turn.diagnostics.add(diagnostics);
  return turn;
}

Result<CountedTurn> count_turn(const PairedRunsRequest& request, const CountedCommand& command) {
  ::unlink(command.file.c_str());
  PGO_TRY(CountedTurn turn,
          request.service ? count_service(command, *request.service) : count_command(command));
  if (turn.counts.instructions == 0 || turn.counts.taken_branches == 0)
    return fail(ErrorKind::kEmpty, command.name + ": nothing was counted; give it more work");
  return turn;
}

EventFigure event_figure(const char* name, const std::array<std::vector<EventCounts>, 2>& counts,
                         uint64_t EventCounts::* event) {
  EventFigure figure;
  figure.name = name;
  std::array<double, 2> low{}, high{};
  for (size_t side = 0; side < 2; side++) {
    auto [least, most] = std::minmax_element(
        counts[side].begin(), counts[side].end(),
        [&](const EventCounts& a, const EventCounts& b) { return a.*event < b.*event; });
    figure.counts[side] = {(*least).*event, (*most).*event};
    low[side] = static_cast<double>(figure.counts[side].low);
    high[side] = static_cast<double>(figure.counts[side].high);
  }
  figure.ratio = (low[1] + high[1]) / (low[0] + high[0]);
  figure.interval = {low[1] / high[0], high[1] / low[0]};
  return figure;
}

}  // namespace

CountedRunsResult judge_counts(const std::array<std::vector<EventCounts>, 2>& counts,
                               const Limits& limits, CountRange requests) {
  CountedRunsResult result;
  result.requests = requests;
  result.instructions = event_figure("instructions", counts, &EventCounts::instructions);
  result.taken_branches = event_figure("taken branches", counts, &EventCounts::taken_branches);
  if (!requests.is_exact()) return result;
  result.outcome = judge_cost(result.instructions.interval, limits);
  if (result.outcome == Outcome::kPass && result.taken_branches.interval.high > 1 + limits.growth) {
    result.outcome = Outcome::kInconclusive;
    result.only_branches_grew = true;
  }
  return result;
}

Result<CountedRunsResult> count_runs(const PairedRunsRequest& request,
                                     const EmulatorOptions& options) {
  PGO_TRY(Emulator emulator, find_emulator(options, EmulatorPlugin::kEventCounter));
  DeferredTermination termination;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  std::array<std::vector<EventCounts>, 2> counts;
  Diagnostics diagnostics;
  std::set<uint64_t> requests;
  for (size_t run = 0; run < kCountedRuns; run++) {
    TurnPair outputs;
    for (size_t side = 0; side < 2; side++) {
      report_progress(request.progress,
                      {"counting", 2 * run + side, 2 * kCountedRuns, "runs under emulation"});
      PGO_TRY(CountedCommand command,
              prepare(request.commands[side], emulator, options, directory.file("counts")));
      PGO_TRY(CountedTurn turn, count_turn(request, command));
      counts[side].push_back(turn.counts);
      requests.insert(turn.requests);
      outputs[side].output = std::move(turn.output);
      if (run == 0) diagnostics.add(turn.diagnostics);
    }
    PGO_CHECK(check_outputs(request, outputs));
  }
  CountedRunsResult result =
      judge_counts(counts, request.limits, {*requests.begin(), *requests.rbegin()});
  result.of_service = request.service.has_value();
  result.diagnostics = std::move(diagnostics);
  return result;
}

}  // namespace pgo
