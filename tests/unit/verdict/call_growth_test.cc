#include "pgo/verdict/call_growth.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pgo/base/temporary_directory.h"
#include "pgo/profile/thresholds.h"
#include "pgo/report/call_growth_text.h"
#include "pgo/report/verify_report.h"
#include "tests/data/called_program.h"
#include "tests/data/stack_recording.h"

namespace pgo::test::call_growth_test {
namespace {

// The split of a growth, as two numbers; 0 and 0: none.
std::array<double, 2> split(std::array<SampledCalls, 2> calls, std::array<double, 2> cycles,
                            double growth, double cost_growth = 1) {
  const std::optional<CallGrowth> result = split_growth({calls, cycles}, growth, cost_growth);
  return result ? std::array{result->calls, result->cost_per_call} : std::array{0., 0.};
}

TEST(CallGrowth, IsMoreCallsOrDearerCalls) {
  const SampledCalls once{1000, 500}, twice{2000, 1000};
  EXPECT_EQ(split({once, twice}, {1000, 1000}, 2), (std::array{2., 1.}));
  EXPECT_EQ(split({once, once}, {1000, 1000}, 2), (std::array{1., 2.}));
  EXPECT_EQ(split({once, twice}, {1000, 1000}, 1.5), (std::array{2., .75}));
  // Twice as many calls in twice the cycles.
  EXPECT_EQ(split({once, twice}, {1000, 2000}, 1.5), (std::array{1., 1.5}));
}

// The example of the header.
TEST(CallGrowth, IsOfAUnitOfWork) {
  const std::array<double, 2> result = split({{{1000, 500}, {2000, 1000}}}, {1000, 1000}, 2.7, .9);
  EXPECT_DOUBLE_EQ(result[0], 1.8);
  EXPECT_DOUBLE_EQ(result[1], 1.5);
}

TEST(CallGrowth, NeedsCallsOfBothSides) {
  const std::array<double, 2> none{0, 0};
  const SampledCalls few{thresholds::kMinCountedCalls - 1, 500},
      enough{thresholds::kMinCountedCalls, 500};
  EXPECT_EQ(split({enough, enough}, {1000, 1000}, 2), (std::array{1., 2.}));
  EXPECT_EQ(split({few, enough}, {1000, 1000}, 2), none);
  EXPECT_EQ(split({enough, few}, {1000, 1000}, 2), none);
  EXPECT_EQ(split({enough, enough}, {1000, 0}, 2), none);
  // A function is new, or gone.
  EXPECT_EQ(split({enough, enough}, {1000, 1000}, INFINITY), none);
  EXPECT_EQ(split({enough, enough}, {1000, 1000}, 0), none);
  EXPECT_EQ(split({{{100, 0}, enough}}, {1000, 1000}, 2), none);
}

TEST(CallGrowth, IsShownWithoutDecimals) {
  EXPECT_EQ(call_growth_text({2.14, .96}), "2.1 times as many calls, each 4 % cheaper");
  EXPECT_EQ(call_growth_text({1.25, 1.999}), "25 % more calls, each 2.0 times as expensive");
  EXPECT_EQ(call_growth_text({.9, 1.1}), "10 % fewer calls, each 10 % more expensive");
  EXPECT_EQ(call_growth_text({1.004, .996}), "as many calls, each as expensive as before");
}

// Samples, one each kPeriod cycles, at `ip`, each with these branches.
struct Samples {
  uint64_t count = 0, ip = 0;
  std::vector<Branch> branches = {};
};

// A program does 2000 units of work. In each, main calls f `calls` times, and works for 900 cycles
// in all. The branch stack has four entries.
std::vector<Samples> units_of_work(uint64_t calls, uint64_t cycles_of_f) {
  using P = CalledProgram;
  const uint64_t between = 900 / calls;
  const Branch call{P::at(P::kCallInMain), P::at(P::kF), kPredicted, between},
      back{P::at(P::kF + 255), P::at(P::kCallInMain + 5), kPredicted, cycles_of_f};
  return {{2000 * 9 / 10, P::at(P::kMain + 0x20), {back, call, back, call}},
          {2000 * calls * cycles_of_f / 1000, P::at(P::kF + 0x20), {call, back, call, back}}};
}

class CallGrowthTest : public testing::Test {
 protected:
  static constexpr uint64_t kPeriod = 1000;

  std::string write(const std::string& name, const std::vector<Samples>& all) const {
    Event event = clock_event();
    event.type = PERF_TYPE_HARDWARE;
    event.config = PERF_COUNT_HW_CPU_CYCLES;
    event.name = "cycles";
    event.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    event.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program_.map(10));
    for (const Samples& samples : all)
      for (uint64_t i = 0; i < samples.count; i++)
        perf.sample({.pid = 10,
                     .time = 10 + i,
                     .ip = samples.ip,
                     .branches = samples.branches,
                     .period = kPeriod});
    const ByteVector bytes = perf.file();
    std::ofstream(directory_.file(name), std::ios::binary) << as_text(bytes);
    return directory_.file(name);
  }

  VerifyResult verify(const std::vector<Samples>& before, const std::vector<Samples>& after,
                      double units = 0) const {
    VerifyRequest request;
    request.compared.sides = {{{write("before.data", before)}, {write("after.data", after)}}};
    request.compared.binaries = {program_.path()};
    request.sampling_only = true;
    if (units > 0) {
      request.compared.measure = verify::Measure::kPerUnit;
      request.compared.units = {units, units};
    }
    Result<VerifyResult> result = verify_release(request);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }

  // Of the only grown function, which is f.
  static std::array<double, 2> split_of_f(const VerifyResult& result) {
    EXPECT_EQ(result.functions.grown.size(), 1u);
    if (result.functions.grown.size() != 1) return {};
    const GrownFunction& function = result.functions.grown[0];
    EXPECT_EQ(result.comparison.rows[function.row].key.name, "f");
    if (!function.calls) return {};
    return {function.calls->calls, function.calls->cost_per_call};
  }

  static void expect_near(const std::array<double, 2>& found, double calls, double cost_per_call) {
    EXPECT_NEAR(found[0], calls, 1e-6);
    EXPECT_NEAR(found[1], cost_per_call, 1e-6);
  }

  CalledProgram program_;
  TemporaryDirectory directory_ = *TemporaryDirectory::make();
};

TEST_F(CallGrowthTest, TellsMoreCallsFromDearerCalls) {
  const std::vector<Samples> before = units_of_work(1, 100);
  expect_near(split_of_f(verify(before, units_of_work(2, 100), 2000)), 2, 1);
  expect_near(split_of_f(verify(before, units_of_work(1, 300), 2000)), 1, 3);
  expect_near(split_of_f(verify(before, units_of_work(2, 150), 2000)), 2, 1.5);
  expect_near(split_of_f(verify(before, units_of_work(3, 60), 2000)), 3, .6);
}

// A unit of work costs 1.1 times as much, so its share is divided by that, and so are calls for
// each cycle.
TEST_F(CallGrowthTest, IsForEachCycleInShares) {
  const std::vector<Samples> before = units_of_work(1, 100);
  expect_near(split_of_f(verify(before, units_of_work(2, 100))), 2 / 1.1, 1);
  expect_near(split_of_f(verify(before, units_of_work(1, 300))), 1 / 1.2, 3);
}

// Half of the time, branches are far more frequent than in the other half. When f, in the other
// half, becomes dearer, then there are more samples there; but f is called as before.
TEST_F(CallGrowthTest, KnowsSlowCodeFromFastCode) {
  const uint64_t fast = CalledProgram::at(CalledProgram::kG + 0x20);
  const Samples others{2000, fast, {4, Branch{fast + 8, fast, kPredicted, 10}}};
  std::vector<Samples> before = units_of_work(1, 100), after = units_of_work(1, 1100);
  before.push_back(others), after.push_back(others);
  expect_near(split_of_f(verify(before, after, 2000)), 1, 11);
}

TEST_F(CallGrowthTest, NeedsCycleCountsOfBothSides) {
  std::vector<Samples> before = units_of_work(1, 100);
  const std::vector<Samples> after = units_of_work(2, 100);
  for (Samples& samples : before)
    for (Branch& branch : samples.branches) branch.cycles = 0;
  VerifyResult result = verify(before, after, 2000);
  EXPECT_EQ(split_of_f(result), (std::array<double, 2>{}));
  EXPECT_EQ(result.comparison.diagnostics.entries().at("no-cycle-counts").messages[0],
            "the branch records before have no cycle counts, so growth is not split into calls and "
            "their cost; processors of Intel have recorded them since Skylake (perf record -e "
            "cycles -j any,u)");
  EXPECT_TRUE(call_growth_lines(result).empty());
  // Without branch records there is nothing to say.
  for (Samples& samples : before) samples.branches.clear();
  result = verify(before, after, 2000);
  EXPECT_EQ(split_of_f(result), (std::array<double, 2>{}));
  EXPECT_FALSE(result.comparison.diagnostics.entries().contains("no-cycle-counts"));
}

TEST_F(CallGrowthTest, NeedsEnoughCalls) {
  // Of 1800 samples in main and 200 in f, 44 and 5 have branch stacks, of two calls each.
  std::vector<Samples> before = units_of_work(1, 100);
  before.push_back({44, before[0].ip, before[0].branches});
  before.push_back({5, before[1].ip, before[1].branches});
  before[0] = {1800 - 44, before[0].ip}, before[1] = {200 - 5, before[1].ip};
  EXPECT_EQ(split_of_f(verify(before, units_of_work(2, 100), 2000)), (std::array<double, 2>{}));
  before[0].count--, before[2].count++;
  expect_near(split_of_f(verify(before, units_of_work(2, 100), 2000)), 2, 1);
}

TEST_F(CallGrowthTest, IsReported) {
  const VerifyResult result = verify(units_of_work(1, 100), units_of_work(2, 125), 2000);
  const std::string text = "f: 2.0 times as many calls, each 25 % more expensive";
  ASSERT_EQ(call_growth_lines(result).size(), 1u);
  EXPECT_EQ(call_growth_lines(result)[0].text(), text);
  EXPECT_NE(verify_text(result, {}).find("\n  calls         " + text + "\n"), std::string::npos);
  EXPECT_NE(verify_markdown(result, {}).find("\n- calls: `f`" + text.substr(1) + "\n"),
            std::string::npos);
  const nlohmann::json json = verify_json(result);
  const nlohmann::json& f = json["functions"]["grown"][0];
  EXPECT_NEAR(f["calls_growth"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(f["cost_per_call_growth"].get<double>(), 1.25, 1e-6);
  EXPECT_NEAR(f["calls_growth"].get<double>() * f["cost_per_call_growth"].get<double>(),
              f["flat"]["ratio"].get<double>(), 1e-9);
}

}  // namespace
}  // namespace pgo::test::call_growth_test
