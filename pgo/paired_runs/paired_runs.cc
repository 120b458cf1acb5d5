#include "pgo/paired_runs/paired_runs.h"

#include <algorithm>
#include <cmath>

#include "pgo/base/number_text.h"
#include "pgo/paired_runs/alpha_spending.h"
#include "pgo/verdict/cost_verdict.h"

namespace pgo {
namespace {

using Pair = std::array<ProcessUsage, 2>;

// The numbers of pairs at which the pairs are evaluated.
std::vector<size_t> looks_of(size_t max_pairs) {
  std::vector<size_t> looks;
  for (size_t look = 1; look <= kLooks; look++) {
    size_t pairs = std::max(kFirstLook, (max_pairs * look + kLooks - 1) / kLooks);
    if (looks.empty() || pairs > looks.back()) looks.push_back(pairs);
  }
  return looks;
}

Result<ProcessResult> run(const std::string& command) {
  PGO_TRY(ProcessResult finished, run_subprocess({"/bin/sh", "-c", command}));
  if (finished.exit_status == 0) return finished;
  return fail(ErrorKind::kMismatch, command + ": failed with exit code " +
                                        std::to_string(finished.exit_status) + ": " +
                                        stderr_tail(finished));
}

Result<void> check_outputs(const PairedRunsRequest& request, const ProcessResult& before,
                           const ProcessResult& after) {
  if (!request.compare_outputs || before.output == after.output) return ok();
  auto at = std::mismatch(before.output.begin(), before.output.end(), after.output.begin(),
                          after.output.end());
  auto line = std::count(before.output.begin(), at.first, '\n') + 1;
  return fail(ErrorKind::kMismatch,
              request.commands[0] + " and " + request.commands[1] +
                  " print different output, from line " + std::to_string(line) + " on",
              "if the output differs in every run (times, addresses), use \xFF{any-output}");
}

// The order of the two programs alternates from pair to pair.
Result<Pair> run_pair(const PairedRunsRequest& request, size_t number) {
  std::array<ProcessResult, 2> finished;
  for (size_t i = 0; i < 2; i++) {
    const size_t which = (i + number) % 2;
    PGO_TRY(finished[which], run(request.commands[which]));
  }
  PGO_CHECK(check_outputs(request, finished[0], finished[1]));
  return Pair{finished[0].usage, finished[1].usage};
}

double cpu_time(const ProcessUsage& usage) { return usage.user + usage.system; }

// System time, say, may be 0. Of CPU time check_times() has made sure.
double above_zero(double figure) { return std::max(figure, 1e-6); }

// A clock with coarse steps measures nothing of a short run.
Result<void> check_times(const PairedRunsRequest& request, const Pair& pair) {
  for (size_t side = 0; side < 2; side++)
    if (cpu_time(pair[side]) <= 0)
      return fail(ErrorKind::kEmpty, request.commands[side] +
                                         ": took no CPU time that the kernel's clock can measure; "
                                         "give it more work");
  return ok();
}

template <typename Figure>
std::vector<FigurePair> figures_of(const std::vector<Pair>& pairs, Figure figure) {
  std::vector<FigurePair> figures;
  for (const Pair& pair : pairs)
    figures.emplace_back(above_zero(figure(pair[0])), above_zero(figure(pair[1])));
  return figures;
}

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

template <typename Figure>
RunFigure figure_of(const char* name, const char* unit, const std::vector<Pair>& pairs,
                    Figure figure) {
  RunFigure result{name, unit, {}, estimate_ratio(figures_of(pairs, figure), kRunsError)};
  for (size_t side = 0; side < 2; side++) {
    std::vector<double> values;
    for (const Pair& pair : pairs) values.push_back(figure(pair[side]));
    result.medians[side] = median(std::move(values));
  }
  return result;
}

// Linux counts what this process holds for a program that it starts, so less than that says
// nothing.
void add_memory(const std::vector<Pair>& pairs, PairedRunsResult& result) {
  auto memory = [](const ProcessUsage& usage) { return static_cast<double>(usage.peak_memory); };
  RunFigure figure = figure_of("peak memory", "bytes", pairs, memory);
  const auto own = static_cast<double>(own_peak_memory());
  if (std::min(figure.medians[0], figure.medians[1]) > own) result.figures.push_back(figure);
}

void add_figures(const std::vector<Pair>& pairs, PairedRunsResult& result) {
  result.figures = {
      figure_of("CPU time", "s", pairs, cpu_time),
      figure_of("user time", "s", pairs, [](const ProcessUsage& usage) { return usage.user; }),
      figure_of("system time", "s", pairs, [](const ProcessUsage& usage) { return usage.system; }),
      figure_of("wall time", "s", pairs, [](const ProcessUsage& usage) { return usage.wall; })};
  add_memory(pairs, result);
  result.noisy = result.cost.spread > kNoisySpread;
  const RunFigure& cpu = result.figures[0];
  result.too_short = std::min(cpu.medians[0], cpu.medians[1]) < kShortRun;
}

}  // namespace

Result<PairedRunsResult> run_pairs(const PairedRunsRequest& request) {
  if (request.max_pairs < kFirstLook)
    return fail(ErrorKind::kUsage, "\xFF{pairs} " + std::to_string(request.max_pairs) +
                                       ": at least " + std::to_string(kFirstLook) + " are needed");
  const std::vector<size_t> looks = looks_of(request.max_pairs);
  std::vector<double> information;
  for (size_t pairs : looks)
    information.push_back(static_cast<double>(pairs) / static_cast<double>(looks.back()));
  const std::vector<double> errors = spend_error(information, kRunsError);

  PGO_CHECK(run_pair(request, 0));  // warms up caches, and checks the outputs first
  PairedRunsResult result;
  std::vector<Pair> pairs;
  while (result.looks < looks.size()) {
    report_progress(request.progress, {"running", pairs.size(), looks.back(), "pairs"});
    PGO_TRY(Pair pair, run_pair(request, pairs.size()));
    PGO_CHECK(check_times(request, pair));
    pairs.push_back(pair);
    if (pairs.size() < looks[result.looks]) continue;
    result.cost = estimate_ratio(figures_of(pairs, cpu_time), errors[result.looks]);
    result.outcome = judge_cost(result.cost.interval, request.limits);
    result.looks++;
    if (result.outcome != Outcome::kInconclusive) break;
  }
  result.pairs = pairs.size();
  if (result.outcome == Outcome::kInconclusive)
    result.times_pairs = data_to_decide(result.cost.ratio, result.cost.interval, request.limits);
  add_figures(pairs, result);
  return result;
}

}  // namespace pgo
