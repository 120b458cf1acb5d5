// What is `pgo verify --calibrate` worth? On simulated fleets (tests/data/simulated_fleet.h) where
// nothing changed: how often the splits of one fleet fail, compared with how often such fleets
// really fail.
//
//     calibration_simulation [FLEETS]
//
// Prints the table of docs/measurements/verify.md as Markdown, in per cent. 200 fleets by default,
// and five times as many for the true rate.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/parallel.h"
#include "pgo/verdict/calibration.h"
#include "tests/data/simulated_release.h"

namespace pgo {
namespace {

// Fleets that are alike.
struct FleetKind {
  const char* name;
  verify::FleetOptions options;
  SplitKind split = SplitKind::kHosts;
  Limits limits = {};
};

constexpr uint32_t kFunctions = 100;
// Limits of no growth at all, so that there are more false alarms.
constexpr Limits kNoGrowth{.growth = 0, .function_growth = 0};

std::vector<FleetKind> fleet_kinds() {
  const verify::FleetOptions six{.functions = kFunctions, .hosts = 6};
  const verify::FleetOptions twelve{.functions = kFunctions, .hosts = 12};
  const verify::FleetOptions many{.functions = kFunctions, .hosts = 24};
  verify::FleetOptions differ = twelve;
  differ.host_sd = .3, differ.host_units_sd = .3;
  const verify::FleetOptions hours{
      .functions = kFunctions, .hosts = 5, .hours = 8, .same_hosts = true};
  verify::FleetOptions days = hours;
  days.release_sd = .03;
  return {
      {"6 hosts", six},
      {"12 hosts", twelve},
      {"12 hosts that differ by 30 %", differ},
      {"6 hosts, limits of 0", six, SplitKind::kHosts, kNoGrowth},
      {"12 hosts, limits of 0", twelve, SplitKind::kHosts, kNoGrowth},
      {"24 hosts, limits of 0", many, SplitKind::kHosts, kNoGrowth},
      {"5 hosts of 8 hours", hours, SplitKind::kWithinHosts},
      {"5 hosts of 8 hours, limits of 0", hours, SplitKind::kWithinHosts, kNoGrowth},
      {"5 hosts of 8 hours, days differ by 3 %", days, SplitKind::kWithinHosts},
  };
}

[[noreturn]] void stop(const Error& error) {
  std::fprintf(stderr, "calibration_simulation: %s\n", error.message.c_str());
  std::exit(1);
}

// The part of the splits of one fleet that fail.
double calibrated_rate(const FleetKind& kind, uint64_t seed) {
  std::vector<verify::Side> one = verify::simulate_releases(kind.options, 1, seed);
  Rows rows;
  for (size_t row = 0; row < one[0].rows.size(); row++)
    rows.keys.push_back({.name = "f" + std::to_string(row)});
  rows.flat[0] = std::move(one[0]);
  CalibrationRequest request;
  request.limits = kind.limits;
  request.compared.measure = verify::Measure::kPerUnit;
  request.compared.jobs = 1;
  const Result<std::vector<SplitVerdicts>> judged = judge_splits(rows, request);
  if (!judged) stop(judged.error());
  for (const SplitVerdicts& splits : *judged)
    if (splits.kind == kind.split)
      return static_cast<double>(splits.failed) / static_cast<double>(splits.count);
  return 0;
}

// Does a release of half as many hosts, or of half as many profiles of each, fail?
bool really_fails(const FleetKind& kind, uint64_t seed) {
  verify::FleetOptions half = kind.options;
  (kind.split == SplitKind::kHosts ? half.hosts : half.hours) /= 2;
  const std::vector<verify::Side> sides = verify::simulate_releases(half, 2, seed);
  const Result<VerifyResult> result =
      judge_fleet({sides[0], sides[1]}, verify::Measure::kPerUnit, kind.limits);
  if (!result) stop(result.error());
  return result->outcome == Outcome::kFail;
}

void print_row(const FleetKind& kind, uint64_t fleets) {
  std::vector<double> rates(fleets);
  parallel_for(fleets, 0, [&](size_t i) { rates[i] = calibrated_rate(kind, i + 1); });
  std::vector<uint8_t> fails(5 * fleets);
  parallel_for(fails.size(), 0,
               [&](size_t i) { fails[i] = really_fails(kind, fleets + i + 1) ? 1 : 0; });
  double mean = 0, squares = 0;
  for (double rate : rates) mean += rate / static_cast<double>(fleets);
  for (double rate : rates) squares += (rate - mean) * (rate - mean);
  std::sort(rates.begin(), rates.end());
  auto quantile = [&](double part) {
    return 100 * rates[static_cast<size_t>(part * static_cast<double>(fleets - 1))];
  };
  const auto failed = static_cast<double>(std::count(fails.begin(), fails.end(), 1));
  const auto alarmed = static_cast<double>(
      std::count_if(rates.begin(), rates.end(), [](double rate) { return rate > .05; }));
  std::printf("| %s | %s | %.1f | %.1f | %.1f | %.1f to %.1f | %.1f |\n", kind.name,
              kind.split == SplitKind::kHosts ? "hosts" : "within hosts",
              100 * failed / static_cast<double>(fails.size()), 100 * mean,
              100 * std::sqrt(squares / static_cast<double>(fleets - 1)), quantile(.05),
              quantile(.95), 100 * alarmed / static_cast<double>(fleets));
  std::fflush(stdout);
}

}  // namespace
}  // namespace pgo

int main(int count, char** arguments) {
  const uint64_t fleets = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 200;
  if (fleets < 2) {
    std::fprintf(stderr, "calibration_simulation: give a number of fleets of 2 or more\n");
    return 2;
  }
  std::printf(
      "| fleet | splits | true rate | mean of splits | standard deviation | 5 %% to 95 %% | above "
      "5 "
      "%% |\n|---|---|---|---|---|---|---|\n");
  for (const pgo::FleetKind& kind : pgo::fleet_kinds()) pgo::print_row(kind, fleets);
}
