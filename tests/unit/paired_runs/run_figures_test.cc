#include "pgo/paired_runs/run_figures.h"

#include <gtest/gtest.h>

namespace pgo::run_figures_test {
namespace {

Turn turn(double cpu, double system, uint64_t memory = 0, std::vector<LoadFigure> load = {}) {
  Turn result;
  result.cpu = cpu;
  result.user = cpu - system;
  result.system = system;
  result.wall = 2 * cpu;
  result.peak_memory = memory;
  result.load = std::move(load);
  return result;
}

std::vector<std::string> names(const std::vector<RunFigure>& figures) {
  std::vector<std::string> names;
  for (const RunFigure& figure : figures) names.emplace_back(figure.name);
  return names;
}

TEST(RunFigures, HaveMediansAndRatios) {
  const std::vector<TurnPair> pairs = {
      {turn(1, .5), turn(2, .5)}, {turn(1, .5), turn(2, .5)}, {turn(4, .5), turn(8, .5)}};
  const std::vector<RunFigure> figures = run_figures(pairs);
  EXPECT_EQ(names(figures),
            (std::vector<std::string>{"CPU time", "user time", "system time", "wall time"}));
  EXPECT_EQ(figures[0].medians, (std::array<double, 2>{1, 2}));
  ASSERT_TRUE(figures[0].estimate);
  EXPECT_NEAR(figures[0].estimate->ratio, 2, 1e-12);
  EXPECT_NEAR(estimate_cost(pairs, .05).ratio, 2, 1e-12);
}

TEST(RunFigures, HaveNoRatioOfATimeBelowATick) {
  const std::vector<RunFigure> figures =
      run_figures(std::vector<TurnPair>{{turn(1, .5), turn(1, 0)}, {turn(1, .5), turn(1, .5)}});
  EXPECT_TRUE(figures[0].estimate);
  EXPECT_FALSE(figures[2].estimate);
  EXPECT_EQ(figures[2].medians, (std::array<double, 2>{.5, .25}));
}

TEST(RunFigures, ShowWhatAllTurnsKnow) {
  const LoadFigure throughput{"throughput", "requests/s", 100}, latency{"mean latency", "ms", 3};
  const Turn all = turn(1, .5, 1000, {throughput, latency});
  EXPECT_EQ(names(run_figures(std::vector<TurnPair>{{all, all}, {all, all}})),
            (std::vector<std::string>{"CPU time", "user time", "system time", "wall time",
                                      "peak memory", "throughput", "mean latency"}));
  EXPECT_EQ(
      names(run_figures(std::vector<TurnPair>{{all, all}, {all, turn(1, .5, 0, {throughput})}})),
      (std::vector<std::string>{"CPU time", "user time", "system time", "wall time",
                                "throughput"}));
}

Turn load_of(double cpu, uint64_t requests) {
  Turn result = turn(cpu, 0);
  result.requests = requests;
  return result;
}

// A load of ten seconds: the faster server did twice as many requests, with as much CPU time.
TEST(RunFigures, HaveTheCostOfARequest) {
  const std::vector<TurnPair> pairs = {{load_of(8, 1'000'000), load_of(8, 2'000'000)},
                                       {load_of(6, 750'000), load_of(6, 1'500'000)}};
  EXPECT_TRUE(know_requests(pairs));
  EXPECT_NEAR(estimate_cost(pairs, .05).ratio, .5, 1e-12);
  const std::vector<RunFigure> figures = run_figures(pairs);
  EXPECT_EQ(names(figures),
            (std::vector<std::string>{"CPU time", "CPU time per request", "user time",
                                      "system time", "wall time", "requests"}));
  EXPECT_NEAR(figures[0].estimate->ratio, 1, 1e-12);
  EXPECT_NEAR(figures[1].estimate->ratio, .5, 1e-12);
  EXPECT_NEAR(figures[1].medians[0], 8, 1e-9);  // µs
  EXPECT_EQ(figures[5].medians, (std::array<double, 2>{875'000, 1'750'000}));

  const std::vector<TurnPair> unknown = {pairs[0], {load_of(6, 750'000), load_of(6, 0)}};
  EXPECT_FALSE(know_requests(unknown));
  EXPECT_NEAR(estimate_cost(unknown, .05).ratio, 1, 1e-12);
}

// The time that is equal for turns of these times, in pairs.
std::optional<double> equal_time_of(const std::vector<double>& times) {
  std::vector<TurnPair> pairs;
  for (size_t i = 0; i + 1 < times.size(); i += 2) {
    pairs.emplace_back();
    for (size_t side = 0; side < 2; side++) pairs.back()[side].wall = times[i + side];
  }
  return equal_wall_time(pairs);
}

TEST(RunFigures, TellLoadsOfOneDuration) {
  EXPECT_EQ(equal_time_of({10, 10.05, 10.1, 10.05}), 10.05);
  // A side that takes longer.
  EXPECT_EQ(equal_time_of({10, 10.2, 10, 10.2, 10, 10.2, 10, 10.2}), std::nullopt);
  // All take different times.
  EXPECT_EQ(equal_time_of({10, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7}), std::nullopt);
  EXPECT_EQ(equal_time_of({0, 0}), std::nullopt);
  EXPECT_EQ(equal_time_of({}), std::nullopt);
}

TEST(RunFigures, TellLoadsOfOneDurationThoughOneRunWasSlow) {
  EXPECT_EQ(equal_time_of({14, 10, 10, 10, 10, 10, 10, 10}), 10);
  EXPECT_EQ(equal_time_of({8, 10, 10, 10, 10, 10, 14, 10}), 10);
}

TEST(RunFigures, LetLoadsOfOneDurationEndLate) {
  EXPECT_EQ(equal_time_of({1, 1.016, 1, 1.016}), 1.008);  // 16 ms
  EXPECT_EQ(equal_time_of({1, 1.03, 1, 1.03}), std::nullopt);
  // 16 ms are much of a short load, so that it is no sign.
  EXPECT_EQ(equal_time_of({.1, .116, .1, .116}), std::nullopt);
  EXPECT_TRUE(equal_time_of({.1, .103, .1, .103}));
}

}  // namespace
}  // namespace pgo::run_figures_test
