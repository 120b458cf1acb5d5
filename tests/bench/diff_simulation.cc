// Are comparisons of profiles honest? On simulated fleets (tests/data/simulated_fleet.h), where it
// is known what changed: how often intervals hold the true ratio, how often a table without changes
// has a finding, and how often a regression of 3 % is found.
//
//     diff_simulation [SEEDS [usual|harder|unequal|time]]
//
// Prints the tables of docs/measurements/diff.md as Markdown. 1000 seeds by default.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

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
  Tally wrong_way;             // a change that was found with the other sign
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
  std::printf(" %s |", findings.wrong_way.percent(seeds).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

void print_head() {
  std::printf(
      "\n| members a side | 20+ | 100+ | 1 000+ | 10 000+ | total, 97.5 %% | any false | "
      "20 %% | 5 %% | 1 %% | wrong way |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
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
}

// The first `rows` rows of 1 % and less have no samples on one side: every second is new, the
// others are gone.
void leave_to_one_side(uint32_t rows, Fleet& fleet) {
  constexpr size_t kFirst = 2;
  auto without = [&](Side& side, size_t parity) {
    FlatLists<Cell> kept;
    for (size_t row = 0; row < side.rows.size(); row++) {
      bool here = row < kFirst || row >= kFirst + rows || row % 2 != parity;
      if (here)
        for (const Cell& cell : side.rows[row]) kept.push(cell);
      kept.end_list();
    }
    side.rows = std::move(kept);
  };
  without(fleet.before, 0);
  without(fleet.after, 1);
}

struct Unequal {
  FleetOptions fleet;
  uint32_t one_sided = 0;  // rows
};

// Intervals are of rows that both sides have. Rows of one side are true findings, and what is
// called changed besides is false: the mean share of the false among all findings is what q values
// limit. A finding counts as found, too, if only the chance of sampling is known.
void print_unequal_row(const Unequal& unequal, uint64_t seeds) {
  Tally covered, covered_thick, one_sided;
  double false_share = 0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    Fleet fleet = simulate_fleet(unequal.fleet, seed);
    leave_to_one_side(unequal.one_sided, fleet);
    double findings = 0, wrong = 0;
    for (const RowComparison& row : compared(fleet, {}).rows) {
      if (row.verdict == Verdict::kTooThin) continue;
      bool found = row.verdict != Verdict::kNoise;
      findings += found ? 1 : 0;
      if (unequal.one_sided > 0 && (row.rate_a <= 0 || row.rate_b <= 0)) {
        one_sided.add(found);
        continue;
      }
      wrong += found ? 1 : 0;
      bool holds_truth = holds(row.estimate.interval(kLevel), 1);
      covered.add(holds_truth);
      if (std::min(row.samples_a, row.samples_b) >= kSizes[2]) covered_thick.add(holds_truth);
    }
    if (findings > 0) false_share += 100 * wrong / findings / static_cast<double>(seeds);
  }
  const FleetOptions& fleet = unequal.fleet;
  std::printf("| %u, %u%s | %u | %.1f | %s | %s | %s |\n", fleet.hosts,
              fleet.hosts_after > 0 ? fleet.hosts_after : fleet.hosts,
              fleet.same_hosts ? " in pairs" : "", unequal.one_sided, false_share,
              covered.percent(seeds).c_str(), covered_thick.percent(seeds).c_str(),
              one_sided.percent(seeds).c_str());
  std::fflush(stdout);
}

// Sides of unequal size, and rows that only one side has.
void print_unequal_table(uint64_t seeds) {
  std::printf(
      "\n| hosts before, after | rows of one side | false of findings | 95 %% interval | ... of 1 "
      "000+ "
      "samples | one side found |\n|---|---|---|---|---|---|\n");
  for (auto [hosts, after] : {std::pair{5u, 1u}, {5u, 3u}, {10u, 1u}, {10u, 3u}, {40u, 3u}})
    for (uint32_t rows : {0u, 40u})
      print_unequal_row({{.hosts = hosts, .hosts_after = after}, rows}, seeds);
  print_unequal_row({{.hosts = 10}, 40}, seeds);
  print_unequal_row({{.hosts = 10, .same_hosts = true}, 40}, seeds);
}

// One profile a side, of unequal length. Only the chance of sampling is known then, so there is
// none but that: hosts do not differ, and samples come one by one.
void print_single_table(uint64_t seeds) {
  std::printf(
      "\n| samples before, after | rows | any false | 95 %% interval |\n|---|---|---|---|\n");
  for (double longer : {1.0, 10.0, 100.0})
    for (double samples : {20'000.0, 200'000.0}) {
      Tally any_false, covered;
      for (uint64_t seed = 1; seed <= seeds; seed++) {
        FleetOptions even{.hosts = 1, .host_sd = 0, .group_sd = 0, .member_sd = 0, .burst = 1};
        even.load_shape = 1e6;
        FleetOptions larger = even;
        even.samples = samples, larger.samples = samples * longer;
        Fleet fleet{simulate_fleet(larger, seed).before, simulate_fleet(even, seed + seeds).after};
        bool any = false;
        for (const RowComparison& row : compared(fleet, {}).rows) {
          if (row.verdict == Verdict::kTooThin) continue;
          any = any || row.verdict != Verdict::kNoise;
          covered.add(holds(row.estimate.interval(kLevel), 1));
        }
        any_false.add(any);
      }
      std::printf("| %.0f, %.0f | %llu | %s | %s |\n", samples * longer, samples,
                  static_cast<unsigned long long>(covered.of / seeds),
                  any_false.percent(seeds).c_str(), covered.percent(seeds).c_str());
      std::fflush(stdout);
    }
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
  auto wanted = [&](std::string_view table) { return which.empty() || which == table; };
  if (wanted("usual")) pgo::verify::print_usual_table(seeds);
  if (wanted("harder")) pgo::verify::print_harder_table(seeds);
  if (wanted("unequal")) pgo::verify::print_unequal_table(seeds);
  if (wanted("unequal")) pgo::verify::print_single_table(seeds);
  if (wanted("time")) pgo::verify::print_time();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("\n%llu seeds, %.0f s\n", static_cast<unsigned long long>(seeds), took.count());
}
