// Are the verdicts of `pgo verify` with several earlier releases honest? On simulated fleets
// (tests/data/simulated_fleet.h) whose releases differ by a known amount: how often a release that
// differs no more than the earlier ones fails, and how often one with a regression does.
//
//     spread_simulation [SEEDS [apart|pairs]]
//
// Prints the tables of docs/measurements/verify.md as Markdown: "pass, fail" in per cent of the
// seeds; the others are inconclusive. 1000 seeds by default.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pgo/base/parallel.h"
#include "tests/data/simulated_release.h"

namespace pgo {
namespace {

struct Release {
  const char* name;
  SideChange change;
};
constexpr Release kReleases[] = {
    {"nothing changed", {}},
    {"3 % more", {.cost = 1.03}},
    {"10 % more", {.cost = 1.1}},
    {"a function doubled", {.function = 2}},
};
constexpr size_t kReleaseCount = std::size(kReleases);

// How much releases differ although nothing is wrong.
struct Spread {
  const char* name;
  double releases, functions;  // standard deviations
};
constexpr Spread kSpreads[] = {
    {"0 %", 0, 0},
    {"1 %", .01, 0},
    {"3 %", .03, 0},
    {"3 %, functions 10 %", .03, .1},
};

struct Fleets {
  uint32_t earlier, hosts;
};
constexpr Fleets kFleets[] = {{3, 5}, {3, 10}, {5, 5}, {5, 10}, {10, 5}, {10, 10}};

using Outcomes = std::array<Outcome, kReleaseCount>;

Result<Outcomes> judge(const verify::FleetOptions& options, uint32_t earlier, uint64_t seed) {
  const std::vector<verify::Side> sides = verify::simulate_releases(options, earlier + 1, seed);
  PGO_TRY(EarlierFleets fleets, EarlierFleets::compare(std::span(sides).first(earlier),
                                                       sides.back(), verify::Measure::kPerUnit));
  Outcomes outcomes{};
  for (size_t i = 0; i < kReleaseCount; i++) {
    PGO_TRY(VerifyResult result, fleets.judge(changed_side(sides.back(), kReleases[i].change), {}));
    outcomes[i] = result.outcome;
  }
  return outcomes;
}

// Of each release, how many seeds pass and fail.
struct Counts {
  std::array<uint64_t, kReleaseCount> pass{}, fail{};
};

Counts count(const verify::FleetOptions& options, uint32_t earlier, uint64_t seeds) {
  std::vector<std::optional<Result<Outcomes>>> judged(seeds);
  parallel_for(seeds, 0, [&](size_t i) { judged[i] = judge(options, earlier, i + 1); });
  Counts counts;
  for (const std::optional<Result<Outcomes>>& one : judged) {
    if (!*one) {
      std::fprintf(stderr, "spread_simulation: %s\n", one->error().message.c_str());
      std::exit(1);
    }
    for (size_t i = 0; i < kReleaseCount; i++) {
      counts.pass[i] += (**one)[i] == Outcome::kPass ? 1 : 0;
      counts.fail[i] += (**one)[i] == Outcome::kFail ? 1 : 0;
    }
  }
  return counts;
}

void print_table(bool pairs, uint64_t seeds) {
  std::printf("\n| %s | releases differ by |", pairs ? "pairs" : "apart");
  for (const Fleets& fleets : kFleets) std::printf(" %u of %u |", fleets.earlier, fleets.hosts);
  std::printf("\n|---|---|");
  for (size_t i = 0; i < std::size(kFleets); i++) std::printf("---|");
  std::printf("\n");
  for (const Spread& spread : kSpreads) {
    std::vector<Counts> counts;
    for (const Fleets& fleets : kFleets)
      counts.push_back(count({.functions = 100,
                              .hosts = fleets.hosts,
                              .same_hosts = pairs,
                              .release_sd = spread.releases,
                              .function_sd = spread.functions},
                             fleets.earlier, seeds));
    for (size_t i = 0; i < kReleaseCount; i++) {
      auto percent = [&](uint64_t times) {
        return 100 * static_cast<double>(times) / static_cast<double>(seeds);
      };
      std::printf("| %s | %s |", kReleases[i].name, spread.name);
      for (const Counts& one : counts)
        std::printf(" %.1f, %.1f |", percent(one.pass[i]), percent(one.fail[i]));
      std::printf("\n");
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace pgo

int main(int count, char** arguments) {
  const uint64_t seeds = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
  const std::string_view which = count > 2 ? arguments[2] : "";
  if (which != "pairs") pgo::print_table(false, seeds);
  if (which != "apart") pgo::print_table(true, seeds);
}
