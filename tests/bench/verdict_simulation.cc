// Are the verdicts of `pgo verify` honest? On simulated fleets (tests/data/simulated_fleet.h),
// where it is known what changed: how often a release that changed nothing fails, and how often one
// that did passes or fails as it should.
//
//     verdict_simulation [SEEDS [PART OF A NAME]]
//
// Prints the tables of docs/measurements/verify.md as Markdown. 1000 seeds by default.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/data/changed_mix.h"
#include "tests/data/simulated_release.h"

namespace pgo {
namespace {

struct Counts {
  uint64_t pass = 0, fail = 0, inconclusive = 0;

  void add(Outcome outcome) {
    switch (outcome) {
      case Outcome::kPass: pass++; break;
      case Outcome::kFail: fail++; break;
      case Outcome::kInconclusive: inconclusive++; break;
    }
  }
};

struct Release {
  const char* name = "";
  double cost = 1;     // of everything, after / before
  double traffic = 1;  // work done, after / before
  Limits limits = {};
  verify::Measure measure = verify::Measure::kPerUnit;
  double function = 1;  // cost of the function with 5 % of everything, after / before
};

Counts simulate(const Release& release, const verify::FleetOptions& options, uint64_t seeds) {
  Counts counts;
  verify::FleetOptions of_release = options;
  of_release.changed = 1;
  of_release.factor = release.function;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    verify::Fleet fleet = verify::simulate_fleet(of_release, seed);
    fleet.after = changed_side(fleet.after, {.cost = release.cost, .traffic = release.traffic});
    Result<VerifyResult> result = judge_fleet(fleet, release.measure, release.limits);
    if (!result) {
      std::fprintf(stderr, "verdict_simulation: %s\n", result.error().message.c_str());
      std::exit(1);
    }
    counts.add(result->outcome);
  }
  return counts;
}

// Of kinds of requests, whose mix changed.
Counts simulate_mix(bool standardized, verify::Measure measure, const verify::FleetOptions& options,
                    uint64_t seeds) {
  Counts counts;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const ChangedMix mix = simulate_changed_mix(options, seed);
    Result<verify::Fleet> fleet =
        standardized ? standardized_fleet(mix, measure) : without_kinds(mix);
    if (fleet) {
      if (Result<VerifyResult> result = judge_fleet(*fleet, measure, {}); result) {
        counts.add(result->outcome);
        continue;
      }
    }
    std::fprintf(stderr, "verdict_simulation: a changed mix cannot be judged\n");
    std::exit(1);
  }
  return counts;
}

struct MixComparison {
  const char* name;
  bool standardized;
  verify::Measure measure;
};
constexpr MixComparison kMixes[] = {
    {"a changed mix", false, verify::Measure::kPerUnit},
    {"a changed mix, standardized", true, verify::Measure::kPerUnit},
    {"a changed mix, shares", false, verify::Measure::kShare},
    {"a changed mix, shares, standardized", true, verify::Measure::kShare},
};

constexpr Limits kCheaper{.drop = 0};  // passes only what is certainly no more expensive
constexpr Release kReleases[] = {
    {.name = "nothing changed"},
    {.name = "nothing changed, shares", .measure = verify::Measure::kShare},
    {.name = "nothing changed, --expect 0.1", .limits = {.drop = .001}},
    {.name = "15 % more traffic", .traffic = 1.15},
    {.name = "1 % less", .cost = .99, .limits = kCheaper},
    {.name = "3 % less", .cost = .97, .limits = kCheaper},
    {.name = "3 % more", .cost = 1.03},
    {.name = "10 % more", .cost = 1.1},
    // At the limits themselves: one in forty may be wrong.
    {.name = "1 % more, the limit", .cost = 1.01},
    {.name = "3 % less, --expect 3", .cost = .97, .limits = {.drop = .03}},
    {.name = "a function 20 % more, the limit", .limits = {.growth = 1}, .function = 1.2},
};

void print_table(uint64_t seeds, std::string_view wanted) {
  std::printf("| release | members a side | pass | fail | inconclusive |\n|---|---|---|---|---|\n");
  auto print_rows = [&](const char* name, auto simulate_fleets) {
    auto percent = [&](uint64_t count) {
      return 100 * static_cast<double>(count) / static_cast<double>(seeds);
    };
    for (bool paired : {false, true})
      for (uint32_t hosts : {3u, 5u, 10u, 40u}) {
        const Counts counts =
            simulate_fleets(verify::FleetOptions{.hosts = hosts, .same_hosts = paired});
        std::printf("| %s | %s, %u | %.1f | %.1f | %.1f |\n", name, paired ? "pairs" : "apart",
                    hosts, percent(counts.pass), percent(counts.fail),
                    percent(counts.inconclusive));
        std::fflush(stdout);
      }
  };
  for (const Release& release : kReleases) {
    if (std::string_view(release.name).find(wanted) == std::string_view::npos) continue;
    print_rows(release.name, [&](const verify::FleetOptions& options) {
      return simulate(release, options, seeds);
    });
  }
  for (const MixComparison& mix : kMixes) {
    if (std::string_view(mix.name).find(wanted) == std::string_view::npos) continue;
    print_rows(mix.name, [&](const verify::FleetOptions& options) {
      return simulate_mix(mix.standardized, mix.measure, options, seeds);
    });
  }
}

}  // namespace
}  // namespace pgo

int main(int count, char** arguments) {
  pgo::print_table(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000,
                   count > 2 ? arguments[2] : "");
}
