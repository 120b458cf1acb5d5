// Are the verdicts on two programs that run in turn honest? On simulated pairs of CPU times, where
// it is known what changed: how often the verdict is pass or fail, with five looks and with one.
//
//     run_simulation [SEEDS]
//
// Prints a table of docs/measurements/verify.md as Markdown. 1000 seeds by default.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "pgo/paired_runs/looks.h"
#include "pgo/paired_runs/pair_statistics.h"
#include "pgo/verdict/cost_verdict.h"
#include "tests/data/draws.h"

namespace pgo {
namespace {

struct Machine {
  const char* name;
  double noise;        // of a run: standard deviation of the logarithm of its CPU time
  double disturbance;  // share of the runs that other work makes slower, by an exponential time
  double second;       // how much more the second run of a pair costs
};
constexpr Machine kMachines[] = {
    {"quiet, 1 %", .01, 0, 0},
    {"noisy, 10 %", .1, 0, 0},
    {"1 %, a tenth of the runs disturbed", .01, .1, 0},
    {"1 %, second run 2 % slower", .01, 0, .02},
};

struct Change {
  const char* name;
  double cost;  // after / before
  Limits limits;
};
constexpr Change kChanges[] = {
    {"nothing, --limit 0 --expect 0.1", 1, {.growth = 0, .drop = .001}},
    {"nothing", 1, {}},
    {"1 % less, --expect 0", .99, {.drop = 0}},
    {"3 % less, --expect 0", .97, {.drop = 0}},
    {"3 % more", 1.03, {}},
};

double cpu_time(const Machine& machine, verify::Draws& draws) {
  double time = portable_exp(machine.noise * draws.normal());
  if (draws.uniform() < machine.disturbance) time *= 1 + .3 * draws.gamma(1);
  return time;
}

std::vector<FigurePair> simulate_pairs(const Machine& machine, double cost, size_t count,
                                       uint64_t seed) {
  verify::Draws draws(seed);
  std::vector<FigurePair> pairs;
  for (size_t i = 0; i < count; i++) {
    double before = cpu_time(machine, draws), after = cost * cpu_time(machine, draws);
    (i % 2 == 0 ? after : before) *= 1 + machine.second;
    pairs.emplace_back(before, after);
  }
  return pairs;
}

struct Counts {
  uint64_t pass = 0, fail = 0, pairs = 0;
};

// Stops at the first look that decides, as run_pairs() does.
void judge(std::span<const FigurePair> pairs, const std::vector<Look>& looks, const Limits& limits,
           Counts& counts) {
  for (const Look& look : looks) {
    const PairEstimate cost = estimate_ratio(pairs.first(look.pairs), look.error);
    const Outcome outcome = judge_cost(cost.interval, limits);
    if (outcome == Outcome::kInconclusive && look.pairs < pairs.size()) continue;
    counts.pass += outcome == Outcome::kPass;
    counts.fail += outcome == Outcome::kFail;
    counts.pairs += look.pairs;
    return;
  }
}

void print_row(const Machine& machine, const Change& change, size_t max_pairs, uint64_t seeds) {
  const std::vector<Look> looks = plan_looks(max_pairs), at_the_end{{max_pairs, kRunsError}};
  Counts stopped, whole;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const std::vector<FigurePair> pairs = simulate_pairs(machine, change.cost, max_pairs, seed);
    judge(pairs, looks, change.limits, stopped);
    judge(pairs, at_the_end, change.limits, whole);
  }
  auto per_seed = [&](uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(seeds);
  };
  std::printf("| %s | %s | %zu | %.1f | %.1f | %.1f | %.1f | %.1f |\n", change.name, machine.name,
              max_pairs, 100 * per_seed(stopped.pass), 100 * per_seed(stopped.fail),
              per_seed(stopped.pairs), 100 * per_seed(whole.pass), 100 * per_seed(whole.fail));
}

void print_table(uint64_t seeds) {
  std::printf("| change | machine | pairs | pass | fail | pairs run | one look: pass | fail |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const Change& change : kChanges)
    for (const Machine& machine : kMachines)
      for (size_t pairs : {7u, 15u, 35u, 100u}) print_row(machine, change, pairs, seeds);
}

}  // namespace
}  // namespace pgo

int main(int count, char** arguments) {
  pgo::print_table(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000);
}
