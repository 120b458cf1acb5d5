// Are comparisons of profiles honest? On simulated fleets (tests/data/simulated_fleet.h), where it
// is known what changed: how often intervals hold the true ratio, how often a table without changes
// has a finding, and how often a regression of 3 % is found.
//
//     diff_simulation [SEEDS [usual|harder]]
//
// Prints the tables of docs/measurements/diff.md as Markdown. 1000 seeds by default.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pgo/verify/comparison.h"
#include "tests/data/simulated_fleet.h"

namespace pgo::verify {
namespace {

constexpr double kFactor = 1.03;
constexpr double kLevel = .95;

// How often something happened.
struct Tally {
  uint64_t times = 0, of = 0;
  void add(bool happened) {
    times += happened ? 1 : 0;
    of++;
  }
  // Nothing where it could happen only now and then: less than once a seed.
  std::string percent(uint64_t seeds) const {
    char text[32];
    if (of < seeds) return "–";
    std::snprintf(text, sizeof text, "%.1f",
                  100.0 * static_cast<double>(times) / static_cast<double>(of));
    return text;
  }
};

// Rows by how many samples a side has of them.
constexpr std::array<double, 5> kSizes = {20, 100, 1000, 10'000, 1e18};

struct Findings {
  std::array<Tally, 4> covered;  // by size
  Tally covers_total, covers_total_closely;
  Tally any_false;
  std::array<Tally, 3> found;  // of the changes of functions 0, 1 and 2
  Tally wrong_way;
};

bool holds(const RatioInterval& interval, double ratio) {
  return interval.low <= ratio && ratio <= interval.high;
}

Comparison compared(const Fleet& fleet, const CompareOptions& options) {
  Result<Comparison> comparison = compare(fleet.before, fleet.after, options);
  if (!comparison) {
    std::fprintf(stderr, "diff_simulation: %s\n", comparison.error().message.c_str());
    std::exit(1);
  }
  return *std::move(comparison);
}

void without_change(const FleetOptions& options, uint64_t seed, Findings& findings) {
  Fleet fleet = simulate_fleet(options, seed);
  bool any = false;
  for (const RowComparison& row : compared(fleet, {}).rows) {
    if (row.verdict == Verdict::kTooThin) continue;
    any = any || row.verdict == Verdict::kChanged;
    double samples = (row.samples_a + row.samples_b) / 2;
    for (size_t size = 0; size + 1 < kSizes.size(); size++)
      if (samples >= kSizes[size] && samples < kSizes[size + 1])
        findings.covered[size].add(holds(row.estimate.interval(kLevel), 1));
  }
  findings.any_false.add(any);
  Side before = everything(fleet.before.members), after = everything(fleet.after.members);
  RowComparison total = compared({before, after}, {.measure = Measure::kPerUnit}).rows[0];
  findings.covers_total.add(holds(total.estimate.interval(kLevel), 1));
  findings.covers_total_closely.add(holds(total.estimate.interval(.975), 1));
}

void with_change(FleetOptions options, uint64_t seed, Findings& findings) {
  options.factor = kFactor;
  for (options.changed = 0; options.changed < 3; options.changed++) {
    Comparison comparison = compared(simulate_fleet(options, seed), {});
    const RowComparison& row = comparison.rows[options.changed];
    bool found = row.verdict == Verdict::kChanged;
    findings.found[options.changed].add(found && row.estimate.ratio() > 1);
    findings.wrong_way.add(found && row.estimate.ratio() < 1);
  }
}

void print_row(const char* kind, const FleetOptions& fleet, uint64_t seeds) {
  Findings findings;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    without_change(fleet, seed, findings);
    with_change(fleet, seed, findings);
  }
  std::printf("| %s, %u |", kind, fleet.hosts * fleet.hours);
  for (const Tally& tally : findings.covered) std::printf(" %s |", tally.percent(seeds).c_str());
  std::printf(" %s, %s |", findings.covers_total.percent(seeds).c_str(),
              findings.covers_total_closely.percent(seeds).c_str());
  std::printf(" %s |", findings.any_false.percent(seeds).c_str());
  for (const Tally& tally : findings.found) std::printf(" %s |", tally.percent(seeds).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

void print_head() {
  std::printf(
      "\n| members a side | 20+ | 100+ | 1 000+ | 10 000+ | total, 97.5 %% | any false | "
      "20 %% | 5 %% | 1 %% |\n|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_usual_table(uint64_t seeds) {
  print_head();
  for (bool paired : {false, true})
    for (uint32_t hosts : {3u, 5u, 10u, 40u}) {
      FleetOptions fleet;
      fleet.hosts = hosts;
      fleet.same_hosts = paired;
      print_row(paired ? "pairs" : "apart", fleet, seeds);
    }
  FleetOptions days{.hours = 8};
  print_row("apart, 5 hosts", days, seeds);
  days.same_hosts = true;
  print_row("pairs, 5 hosts", days, seeds);
}

// What the fleets above do not have.
void print_harder_table(uint64_t seeds) {
  print_head();
  FleetOptions usual;
  usual.hosts = 10;
  FleetOptions differ = usual;
  differ.host_sd = .3, differ.host_units_sd = .3;
  print_row("hosts differ by 30 %", differ, seeds);
  FleetOptions uneven = usual;
  uneven.load_shape = 1;
  print_row("loads by 100 %", uneven, seeds);
  FleetOptions three = uneven;
  three.hosts = 3;
  print_row("loads by 100 %", three, seeds);
  FleetOptions busy = usual;
  busy.contention = .2;
  print_row("busy hosts are slower", busy, seeds);
  FleetOptions idle = usual;
  idle.contention = -.2;
  print_row("busy hosts are faster", idle, seeds);
  FleetOptions bursts = usual;
  bursts.burst = 8;
  print_row("bursts of 8", bursts, seeds);
  FleetOptions few = usual;
  few.functions = 6;
  print_row("6 functions", few, seeds);
  few.hosts = 3;
  print_row("6 functions", few, seeds);
  FleetOptions thin = usual;
  thin.samples = 1000;
  print_row("1 000 samples a member", thin, seeds);
  FleetOptions canary = usual;
  canary.hosts = 40, canary.hosts_after = 3;
  print_row("against 3", canary, seeds);
  canary.hosts = 10, canary.hosts_after = 1;
  print_row("against 1", canary, seeds);
}

// How long a table takes that is as large as they come.
void print_time() {
  FleetOptions large{.functions = 100'000, .hosts = 40, .same_hosts = true, .samples = 1e6};
  Fleet fleet = simulate_fleet(large, 1);
  auto begin = std::chrono::steady_clock::now();
  Comparison comparison = compared(fleet, {});
  std::chrono::duration<double> tests = std::chrono::steady_clock::now() - begin;
  double sum = 0;
  for (const RowComparison& row : comparison.rows) sum += row.estimate.interval(kLevel).low;
  std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
  std::printf("\n%u rows, %u members a side: %.2f s, with intervals of all rows %.2f s (%g)\n",
              large.functions, large.hosts, tests.count(), all.count(), sum);
}

}  // namespace
}  // namespace pgo::verify

int main(int count, char** arguments) {
  uint64_t seeds = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
  auto begin = std::chrono::steady_clock::now();
  std::string_view which = count > 2 ? arguments[2] : "";
  if (which != "harder") pgo::verify::print_usual_table(seeds);
  if (which != "usual") pgo::verify::print_harder_table(seeds);
  pgo::verify::print_time();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("\n%llu seeds, %.0f s\n", static_cast<unsigned long long>(seeds), took.count());
}
