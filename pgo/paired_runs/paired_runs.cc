#include "pgo/paired_runs/paired_runs.h"

#include <algorithm>

#include "pgo/paired_runs/command_run.h"
#include "pgo/paired_runs/perf_count.h"
#include "pgo/verdict/cost_verdict.h"

namespace pgo {
namespace {

// The order of the two programs alternates from pair to pair.
Result<TurnPair> run_pair(const PairedRunsRequest& request, size_t number) {
  TurnPair pair;
  for (size_t i = 0; i < 2; i++) {
    const size_t side = (i + number) % 2;
    PGO_TRY(pair[side], take_turn(request, side));
  }
  PGO_CHECK(check_outputs(request, pair));
  return pair;
}

// A clock with coarse steps measures nothing of a short run.
Result<void> check_times(const PairedRunsRequest& request, const TurnPair& pair) {
  for (size_t side = 0; side < 2; side++)
    if (pair[side].cpu <= 0)
      return fail(ErrorKind::kEmpty,
                  request.commands[side] +
                      ": took no CPU time that the kernel's clock can measure; give it more work");
  return ok();
}

// Only the figures are kept: outputs may be large.
void add_pair(TurnPair pair, std::vector<TurnPair>& pairs, PairedRunsResult& result) {
  for (Turn& turn : pair) {
    turn.output.clear();
    result.diagnostics.add(turn.diagnostics);
  }
  pairs.push_back(std::move(pair));
}

}  // namespace

Result<Turn> take_turn(const PairedRunsRequest& request, size_t side) {
  if (request.service) return run_service(request.commands[side], *request.service);
  return run_command(request.commands[side]);
}

Result<void> check_outputs(const PairedRunsRequest& request, const TurnPair& pair) {
  const std::string &before = pair[0].output, &after = pair[1].output;
  if (request.service || !request.compare_outputs || before == after) return ok();
  auto at = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  auto line = std::count(before.begin(), at.first, '\n') + 1;
  return fail(ErrorKind::kMismatch,
              request.commands[0] + " and " + request.commands[1] +
                  " print different output, from line " + std::to_string(line) + " on",
              "if the output differs in every run (times, addresses), use \xFF{any-output}");
}

Result<PairedRunsResult> run_pairs(const PairedRunsRequest& request) {
  if (request.max_pairs < kFirstLook)
    return fail(ErrorKind::kUsage, "\xFF{pairs} " + std::to_string(request.max_pairs) +
                                       ": at least " + std::to_string(kFirstLook) + " are needed");
  const std::vector<Look> looks = plan_looks(request.max_pairs);

  // Warms up caches, and checks the outputs first. A service is warmed up in each of its turns.
  if (!request.service) PGO_CHECK(run_pair(request, 0));
  PairedRunsResult result;
  std::vector<TurnPair> pairs;
  while (result.looks < looks.size()) {
    report_progress(request.progress, {"running", pairs.size(), request.max_pairs, "pairs"});
    PGO_TRY(TurnPair pair, run_pair(request, pairs.size()));
    PGO_CHECK(check_times(request, pair));
    add_pair(std::move(pair), pairs, result);
    if (pairs.size() < looks[result.looks].pairs) continue;
    result.cost = estimate_cost(pairs, looks[result.looks].error);
    result.outcome = judge_cost(result.cost.interval, request.limits);
    result.looks++;
    if (result.outcome != Outcome::kInconclusive) break;
  }
  result.pairs = pairs.size();
  result.of_service = request.service.has_value();
  result.per_request = know_requests(pairs);
  if (result.of_service && !result.per_request) result.equal_wall_time = equal_wall_time(pairs);
  if (result.outcome == Outcome::kInconclusive)
    result.times_pairs = data_to_decide(result.cost.ratio, result.cost.interval, request.limits);
  result.figures = run_figures(pairs);
  result.noisy = result.cost.spread > kNoisySpread;
  const RunFigure& cpu = result.figures[0];
  result.too_short = std::min(cpu.medians[0], cpu.medians[1]) < kShortRun;
  if (!request.service && !request.search_path.empty())
    PGO_CHECK(add_instructions(request, result));
  return result;
}

}  // namespace pgo
