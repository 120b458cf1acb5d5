// How often does `pgo fetch` call a profile an outlier that is none, and how often does it find
// one? On simulated fleets: functions with shares like those of real programs (the n-th has 1/n of
// the first), hosts whose shares vary around them, and samples by chance.
//
//     outlier_simulation [FLEETS]
//
// Prints the tables of docs/measurements/fetch.md as Markdown: the share of ordinary profiles that
// are reported, and that of profiles which spend a part of their time elsewhere. 1000 fleets of
// each kind by default.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <numeric>
#include <vector>

#include "pgo/base/parallel.h"
#include "pgo/fetch/outliers.h"
#include "tests/data/draws.h"

namespace pgo {
namespace {

constexpr size_t kFunctions = 200;

struct FleetKind {
  uint32_t hosts = 10;
  uint64_t samples = 1000;  // of a profile, on average; from a third of it to three times
  double spread = 0;        // standard deviation of a function's share among hosts, relative
};

struct Outcome {
  uint64_t ordinary = 0, false_alarms = 0;
  uint64_t fleets_with_false_alarm = 0;
  uint64_t planted = 0, found = 0;
};

// `strange`: the part of the time in a function that the others do not have.
LeafShares draw_profile(const FleetKind& kind, double strange, uint64_t samples,
                        verify::Draws& draws) {
  std::vector<double> shares(kFunctions);
  for (size_t i = 0; i < kFunctions; i++) {
    // Gamma with this relative deviation.
    const double shape = kind.spread > 0 ? 1 / (kind.spread * kind.spread) : 0;
    const double factor = shape > 0 ? draws.gamma(shape) / shape : 1;
    shares[i] = factor / static_cast<double>(i + 1);
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  LeafShares profile;
  double total = 0;
  auto add = [&](size_t leaf, double mean) {
    const double count = draws.poisson(mean * static_cast<double>(samples));
    if (count > 0) profile.shares.emplace_back(leaf + 1, count);
    total += count;
  };
  for (size_t i = 0; i < kFunctions; i++) add(i, shares[i] / sum * (1 - strange));
  if (strange > 0) add(kFunctions, strange);
  for (auto& [leaf, share] : profile.shares) share /= total;
  return profile;
}

Outcome simulate(const FleetKind& kind, double strange, uint64_t seed) {
  verify::Draws draws(seed);
  std::deque<LeafShares> leaves;
  std::vector<ComparedProfile> profiles;
  for (uint32_t host = 0; host < kind.hosts; host++) {
    const double factor = std::pow(3, 2 * draws.uniform() - 1);
    const auto samples =
        static_cast<uint64_t>(std::max(1.0, static_cast<double>(kind.samples) * factor));
    leaves.push_back(draw_profile(kind, host == 0 ? strange : 0, samples, draws));
    StratumKey key;
    key.host = std::to_string(host);
    profiles.push_back({&leaves.back(), samples, key});
  }
  Outcome outcome;
  const auto compared = compare_with_peers(profiles);
  for (size_t i = 0; i < compared.size(); i++) {
    const bool is_reported = compared[i] && compared[i]->is_outlier;
    const bool is_planted = strange > 0 && i == 0;
    (is_planted ? outcome.planted : outcome.ordinary)++;
    if (is_reported) (is_planted ? outcome.found : outcome.false_alarms)++;
  }
  outcome.fleets_with_false_alarm = outcome.false_alarms > 0;
  return outcome;
}

Outcome simulate_all(const FleetKind& kind, double strange, uint64_t fleets) {
  Outcome all;
  for (const Outcome& one :
       parallel_map(fleets, 0, [&](size_t seed) { return simulate(kind, strange, seed); })) {
    all.ordinary += one.ordinary;
    all.false_alarms += one.false_alarms;
    all.fleets_with_false_alarm += one.fleets_with_false_alarm;
    all.planted += one.planted;
    all.found += one.found;
  }
  return all;
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_tables(uint64_t fleets) {
  constexpr double kParts[] = {.1, .2, .3, .5};
  std::printf(
      "| hosts | samples | hosts vary by | false alarms: profiles | fleets | found: 10 %% | 20 %% "
      "| "
      "30 %% | 50 %% elsewhere |\n|---|---|---|---|---|---|---|---|---|\n");
  for (uint32_t hosts : {5u, 10u, 50u})
    for (uint64_t samples : {uint64_t{50}, uint64_t{500}, uint64_t{5000}})
      for (double spread : {0.0, .2, .5}) {
        const FleetKind kind{hosts, samples, spread};
        const Outcome ordinary = simulate_all(kind, 0, fleets);
        std::printf("| %u | %llu | %.0f %% | %.2f %% | %.1f %% |", hosts,
                    static_cast<unsigned long long>(samples), 100 * spread,
                    percent(ordinary.false_alarms, ordinary.ordinary),
                    percent(ordinary.fleets_with_false_alarm, fleets));
        for (double part : kParts) {
          const Outcome planted = simulate_all(kind, part, fleets);
          std::printf(" %.0f %% |", percent(planted.found, planted.planted));
        }
        std::printf("\n");
        std::fflush(stdout);
      }
}

}  // namespace
}  // namespace pgo

int main(int argc, char** argv) {
  pgo::print_tables(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000);
  return 0;
}
