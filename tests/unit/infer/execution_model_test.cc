#include "pgo/infer/execution_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "pgo/base/portable_math.h"
#include "tests/data/code_builder.h"
#include "tests/data/code_graphs.h"

namespace pgo::infer::execution_model_test {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000;

std::vector<ControlFlowGraph> graphs_of(const CodeImage& program) {
  std::vector<ControlFlowGraph> graphs;
  for (std::optional<ControlFlowGraph>& graph : test::read_graphs(program))
    graphs.push_back(std::move(graph).value());
  return graphs;
}

CodeImage program_of(CodeBuilder& code, std::vector<CodeImage::Function> functions = {}) {
  std::string bytes = code.finish();
  if (functions.empty()) functions = {{"f", kText, kText + bytes.size()}};
  return CodeImage(bytes, kText, functions);
}

// Samples of each instruction where blocks ran as often as `truth` says: drawn, if `random` is
// given, else the expected ones.
InstructionSamples samples_of(const ControlFlowGraph& graph, const std::vector<double>& truth,
                              std::mt19937* random = nullptr) {
  std::vector<CostClass> classes = classify_costs(graph);
  InstructionSamples samples(graph.instructions.size());
  for (size_t b = 0; b < graph.blocks.size(); b++)
    for (uint32_t i = graph.blocks[b].first; i < graph.blocks[b].first + graph.blocks[b].count;
         i++) {
      double mean = truth[b] * kPooledCosts.samples[static_cast<size_t>(classes[i])];
      samples[i] = random == nullptr
                       ? std::round(mean)
                       : static_cast<double>(std::poisson_distribution<uint64_t>(mean)(*random));
    }
  return samples;
}

// How much of what ran is where the flow says: the sum of the lesser shares, 1 when all is right.
double overlap(const std::vector<ControlFlowGraph>& graphs, const std::vector<FunctionFlow>& flows,
               const std::vector<std::vector<double>>& truth) {
  double estimated = 0, ran = 0, common = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t f = 0; f < graphs.size(); f++)
      for (size_t b = 0; b < graphs[f].blocks.size(); b++) {
        double n = graphs[f].blocks[b].count;
        if (pass == 0) {
          estimated += flows[f].blocks[b] * n;
          ran += truth[f][b] * n;
        } else {
          common += std::min(flows[f].blocks[b] * n / estimated, truth[f][b] * n / ran);
        }
      }
  return common;
}

// if (..) ten plain instructions, nine of ten times; else twelve. Then a loop of eight rounds.
CodeBuilder diamond_and_loop() {
  CodeBuilder code(kText);
  code.plain(2).jump_if("else").plain(10).jump("join").label("else").plain(12);
  code.label("join").plain(3).label("loop").plain(6).jump_if("loop").plain().ret();
  return code;
}
const std::vector<double> kDiamondAndLoop = {1000, 900, 100, 1000, 8000, 1000};

void expect_conserved(const ControlFlowGraph& graph, const FunctionFlow& flow) {
  std::vector<double> in(graph.blocks.size()), out(graph.blocks.size());
  for (size_t e = 0; e < graph.edges.size(); e++) {
    out[graph.edges[e].source] += flow.edges[e];
    if (graph.edges[e].kind != Edge::kExit) in[graph.edges[e].target] += flow.edges[e];
  }
  for (size_t b = 0; b < graph.blocks.size(); b++) {
    bool is_source =
        std::find(graph.sources.begin(), graph.sources.end(), b) != graph.sources.end();
    double tolerance = 1e-6 * flow.blocks[b] + 1e-12;
    if (is_source) in[b] = flow.blocks[b];
    if (out[b] == 0) out[b] = flow.blocks[b];  // control leaves the function
    EXPECT_NEAR(in[b], flow.blocks[b], tolerance);
    EXPECT_NEAR(out[b], flow.blocks[b], tolerance);
  }
}

TEST(ExecutionModel, FindsWhatRanFromExpectedSamples) {
  CodeBuilder code = diamond_and_loop();
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  ASSERT_EQ(graphs[0].blocks.size(), kDiamondAndLoop.size());
  std::vector<FunctionFlow> flows =
      fit_flows(graphs, {samples_of(graphs[0], kDiamondAndLoop)}, {}, {});
  EXPECT_GT(overlap(graphs, flows, {kDiamondAndLoop}), .98);
  expect_conserved(graphs[0], flows[0]);
}

TEST(ExecutionModel, ErrsLessTheMoreSamplesThereAre) {
  CodeBuilder code = diamond_and_loop();
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  auto error = [&](double rate) {
    double sum = 0;
    for (unsigned seed = 1; seed <= 20; seed++) {
      std::mt19937 random(seed);
      std::vector<double> thinned = kDiamondAndLoop;
      for (double& count : thinned) count *= rate;
      InstructionSamples samples = samples_of(graphs[0], thinned, &random);
      sum += 1 - overlap(graphs, fit_flows(graphs, {samples}, {}, {}), {kDiamondAndLoop});
    }
    return sum / 20;
  };
  double few = error(.001), some = error(.01), many = error(1);
  EXPECT_LT(many, .03);
  EXPECT_LT(many, some);
  EXPECT_LT(some, few);
}

TEST(ExecutionModel, EntersAFunctionAsOftenAsItIsCalled) {
  // f, which is long, calls g, of which next to nothing was seen, in a loop.
  CodeBuilder code(kText);
  code.label("loop").plain(20).call("g").plain(20).jump_if("loop").ret();
  code.label("g").plain(2).ret();
  uint64_t g = code.address("g");
  std::string bytes = code.finish();
  CodeImage program(bytes, kText, {{"f", kText, g}, {"g", g, kText + bytes.size()}});
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  InstructionSamples of_f = samples_of(graphs[0], {20, 1});
  InstructionSamples of_g(graphs[1].instructions.size());
  of_g[1] = 1;
  std::vector<FunctionFlow> flows = fit_flows(graphs, {of_f, of_g}, {}, {});
  EXPECT_NEAR(flows[1].blocks[0] / flows[0].blocks[0], 1, .2);
}

// Nothing was sampled around the two calls of g, but in g: nine of ten times below the first.
TEST(ExecutionModel, SpreadsEntriesOverCallsLikeTheTimeBelowThem) {
  CodeBuilder code(kText);
  code.plain(2).jump_if("second").call("g").jump("end").label("second").call("g");
  code.label("end").plain(4).ret().label("g").plain(8).ret().label("after");
  CodeImage program = program_of(
      code, {{"f", kText, code.address("g")}, {"g", code.address("g"), code.address("after")}});
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  std::vector<InstructionSamples> samples = {samples_of(graphs[0], {100, 0, 0, 100}),
                                             samples_of(graphs[1], {100})};
  std::vector<FunctionCalls> calls = {FunctionCalls(2), FunctionCalls()};
  auto first_share = [&] {
    std::vector<double> blocks = fit_flows(graphs, samples, calls, {})[0].blocks;
    return blocks[1] / (blocks[1] + blocks[2]);
  };
  EXPECT_LT(first_share(), .5);
  ElfAddr g = graphs[1].function.begin;
  calls[0][0].targets = {{g, 1, .9, 450}};
  calls[0][1].targets = {{g, 1, .1, 50}};
  EXPECT_NEAR(first_share(), .9, .02);
  // A function that was not sampled itself may have been called from here, too.
  calls[0][0].targets = {{g, .5, .9, 450}, {ElfAddr{0x9999}, .5, 1, 450}};
  calls[0][1].targets = {};
  EXPECT_LT(first_share(), .5);
}

// The share of the flow that falls into a block of one instruction without samples, where all other
// branches of the function fall through as often as `falls`, of 50.
double share_of_short_block(double falls) {
  constexpr int kOthers = 30;
  CodeBuilder code(kText);
  std::vector<double> truth;
  for (int i = 0; i < kOthers; i++) {
    std::string label = "else" + std::to_string(i);
    code.plain(12).jump_if(label).plain(24).label(label);
    truth.insert(truth.end(), {50, falls});
  }
  code.plain(12).jump_if("end").plain(1).label("end").plain(12).ret();
  truth.insert(truth.end(), {50, 0, 50});
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  std::vector<FunctionFlow> flows = fit_flows(graphs, {samples_of(graphs[0], truth)}, {}, {});
  return flows[0].blocks[truth.size() - 2] / flows[0].blocks[truth.size() - 3];
}

TEST(ExecutionModel, TrustsTheLayoutWhereAProfileChoseIt) {
  EXPECT_GT(share_of_short_block(49), .5);
  EXPECT_LT(share_of_short_block(15), .5);
}

TEST(ExecutionModel, LetsNoLoopWithoutSamplesRunAway) {
  CodeBuilder code(kText);
  code.plain(20).label("loop").plain(4).jump_if("loop").plain(20).ret();
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  InstructionSamples samples = samples_of(graphs[0], {100, 0, 100});
  std::vector<FunctionFlow> flows = fit_flows(graphs, {samples}, {}, {});
  EXPECT_LT(flows[0].blocks[1], 30 * flows[0].blocks[0]);
}

TEST(ExecutionModel, FitsLoopsWithoutEnd) {
  CodeBuilder code(kText);
  code.plain(2).label("loop").plain(8).jump("loop");
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  std::vector<FunctionFlow> flows = fit_flows(graphs, {samples_of(graphs[0], {1, 5000})}, {}, {});
  EXPECT_GT(flows[0].blocks[1], 100 * flows[0].blocks[0]);
}

TEST(ExecutionModel, FitsIrreducibleLoops) {
  // Two blocks that jump to one another, both entered from outside.
  CodeBuilder code(kText);
  code.plain().jump_if("b").label("a").plain(5).jump_if("end").label("b").plain(9).jump_if("a");
  code.label("end").ret();
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  // 1000 entries, 700 of them to b; a goes on to b half the time, b back to a.
  double a = (300 + .5 * 700) / (1 - .25), b = 700 + .5 * a;
  std::vector<double> truth = {1000, a, b, 1000};
  std::vector<FunctionFlow> flows = fit_flows(graphs, {samples_of(graphs[0], truth)}, {}, {});
  EXPECT_GT(overlap(graphs, flows, {truth}), .95);
  expect_conserved(graphs[0], flows[0]);
}

TEST(ExecutionModel, IsTheSameForAnyNumberOfThreads) {
  CodeBuilder code = diamond_and_loop();
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs(17, graphs_of(program)[0]);
  std::vector<InstructionSamples> samples;
  std::mt19937 random(7);
  for (size_t i = 0; i < graphs.size(); i++) {
    graphs[i].function.begin.value += i * 0x1000;
    samples.push_back(samples_of(graphs[i], kDiamondAndLoop, &random));
  }
  ModelOptions one, four;
  one.jobs = 1;
  four.jobs = 4;
  std::vector<FunctionFlow> a = fit_flows(graphs, samples, {}, one);
  std::vector<FunctionFlow> b = fit_flows(graphs, samples, {}, four);
  for (size_t i = 0; i < a.size(); i++) {
    EXPECT_EQ(a[i].blocks, b[i].blocks);
    EXPECT_EQ(a[i].edges, b[i].edges);
  }
}

FlowLimits no_limits(const ControlFlowGraph& graph) {
  return {std::vector<double>(graph.blocks.size(), kNoLimit),
          std::vector<double>(graph.edges.size(), kNoLimit)};
}

TEST(FunctionModel, StartsFromDensityAndThePriorWithoutAFlow) {
  CodeBuilder code(kText);
  code.plain(2).label("loop").plain(4).jump_if("next").plain(2).label("next").plain().jump_if(
      "loop");
  code.plain().jump("loop");
  CodeImage program = program_of(code);
  ControlFlowGraph graph = graphs_of(program)[0];
  InstructionSamples samples(graph.instructions.size(), 3.0);
  FunctionModel model(graph, samples, no_limits(graph), FunctionCalls(graph.calls.size()),
                      kPooledCosts, {}, .2, Layout::kByHeuristics);
  Flow nothing{std::vector<double>(graph.blocks.size()), std::vector<double>(graph.edges.size())};
  std::vector<double> start = model.start(nothing);
  ASSERT_EQ(start.size(), model.parameter_count());
  EXPECT_EQ(start[0], portable_log(3.0));
  // A jump forwards and what falls through; a jump back and what falls through.
  EXPECT_EQ(std::vector<double>(start.begin() + 1, start.end()),
            (std::vector<double>{0, .4, 2, 0}));
}

// No samples on either side of a branch, which the layout says falls through. Records tell the way
// that it goes; how often it runs stays what the samples say.
TEST(FitFlows, BranchRecordsTellTheWay) {
  CodeBuilder code(kText);
  code.plain(6).jump_if("else").plain(1).jump("join").label("else").plain(2);
  code.label("join").plain(6).ret();
  CodeImage program = program_of(code);
  std::vector<ControlFlowGraph> graphs = graphs_of(program);
  const ControlFlowGraph& graph = graphs[0];
  InstructionSamples samples(graph.instructions.size());
  for (uint32_t b : {0u, 3u})
    for (uint32_t i = 0; i < graph.blocks[b].count; i++) samples[graph.blocks[b].first + i] = 5;
  ASSERT_EQ(graph.edges[0].kind, Edge::kTaken);
  ASSERT_EQ(graph.edges[1].kind, Edge::kFallThrough);
  const double usual = fit_flows(graphs, {samples}, {}, {})[0].blocks[0];
  auto share_taken = [&](double taken, double not_taken) {
    EdgeCounts records(graph.edges.size());
    records[0] = taken;
    records[1] = not_taken;
    const FunctionFlow flow = fit_flows(graphs, {samples}, {}, {}, {records})[0];
    EXPECT_NEAR(flow.blocks[0] / usual, 1, .3);
    return flow.edges[0] / flow.blocks[0];
  };
  EXPECT_LT(share_taken(0, 0), .1);
  EXPECT_NEAR(share_taken(300, 700), .3, .02);
  EXPECT_GT(share_taken(300, 0), .9);
}

// The gradient, against differences of the cost.
TEST(FunctionModel, HasTheGradientOfItsCost) {
  CodeBuilder code(kText);
  code.plain(2).jump_if("else").plain(4).jump("join").label("else").plain(3).call("g");
  code.label("join").plain(2).jump_if("bad");
  code.label("loop").plain().jump_if("loop").jump_if("g").plain().ret();
  code.plain().ret();  // a source of its own
  code.label("bad").trap();
  code.label("g").ret();
  uint64_t g = code.address("g");
  std::string bytes = code.finish();
  CodeImage program(bytes, kText, {{"f", kText, g}, {"g", g, kText + bytes.size()}});
  ControlFlowGraph graph = graphs_of(program)[0];
  ASSERT_EQ(graph.sources.size(), 2u);
  ASSERT_EQ(graph.calls.size(), 2u);
  InstructionSamples samples(graph.instructions.size());
  for (size_t i = 0; i < samples.size(); i++) samples[i] = static_cast<double>(i % 4);
  FunctionCalls calls(graph.calls.size());
  calls[0].entered = 6;
  FlowLimits limits = no_limits(graph);
  for (size_t e = 0; e < graph.edges.size(); e++)
    if (graph.edges[e].to_dead_end) limits.edges[e] = 1;
  ASSERT_EQ(std::ranges::count(limits.edges, 1), 1);
  EdgeCounts records(graph.edges.size());
  for (size_t e = 0; e < records.size(); e++) records[e] = static_cast<double>(7 * e % 5);
  for (const EdgeCounts& branches : {EdgeCounts(), records}) {
    FunctionModel model(graph, samples, limits, calls, kPooledCosts, branches, .2,
                        Layout::kByProfile);
    model.start(
        {std::vector<double>(graph.blocks.size(), 9), std::vector<double>(graph.edges.size(), 4)});
    std::vector<double> call_slopes = {.7, -.4};

    auto cost = [&](const std::vector<double>& parameters) {
      model.set_parameters(parameters);
      std::vector<double> ignored(parameters.size());
      double sum = model.evaluate(parameters, call_slopes, ignored);
      for (size_t c = 0; c < graph.calls.size(); c++)
        sum += call_slopes[c] * model.call_flow(graph.calls[c]);
      return sum;
    };
    std::mt19937 random(3);
    std::uniform_real_distribution<double> spread(-1, 3);
    for (int trial = 0; trial < 5; trial++) {
      std::vector<double> parameters(model.parameter_count());
      for (double& p : parameters) p = spread(random);
      std::vector<double> gradient(parameters.size());
      model.set_parameters(parameters);
      model.evaluate(parameters, call_slopes, gradient);
      for (size_t i = 0; i < parameters.size(); i++) {
        constexpr double kStep = 1e-6;
        std::vector<double> up = parameters, down = parameters;
        up[i] += kStep;
        down[i] -= kStep;
        double difference = (cost(up) - cost(down)) / (2 * kStep);
        EXPECT_NEAR(gradient[i], difference, 1e-4 * (1 + std::abs(difference))) << i;
      }
    }
  }
}

}  // namespace
}  // namespace pgo::infer::execution_model_test
