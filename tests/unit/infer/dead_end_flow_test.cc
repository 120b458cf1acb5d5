#include "pgo/infer/dead_end_flow.h"

#include <gtest/gtest.h>

#include "pgo/infer/execution_model.h"
#include "tests/data/code_builder.h"
#include "tests/data/code_graphs.h"

namespace pgo::infer::dead_end_flow_test {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000;

// Functions one behind the other, each from its label to the next one's, then abort().
struct Program {
  explicit Program(CodeBuilder& code, const std::vector<std::string>& names = {"f"}) {
    code.label("abort").trap().label("end");
    std::vector<CodeImage::Function> functions;
    for (size_t i = 0; i < names.size(); i++)
      functions.push_back({names[i], code.address(names[i]),
                           code.address(i + 1 < names.size() ? names[i + 1] : "abort")});
    functions.push_back({"abort", code.address("abort"), code.address("end")});
    CodeImage image(code.finish(), kText, functions);
    for (std::optional<ControlFlowGraph>& graph : test::read_graphs(image))
      graphs.push_back(std::move(graph).value());
    graphs.pop_back();  // abort() was not sampled
    for (const ControlFlowGraph& graph : graphs) {
      samples.emplace_back(graph.instructions.size());
      calls.emplace_back(graph.calls.size());
    }
  }

  // So many at each instruction of a block.
  void sample(uint32_t block, double count, size_t graph = 0) {
    const Block& extent = graphs[graph].blocks[block];
    for (uint32_t i = extent.first; i < extent.first + extent.count; i++) samples[graph][i] = count;
  }
  std::vector<double> blocks(size_t graph = 0) const {
    return fit_flows(graphs, samples, calls, {})[graph].blocks;
  }

  std::vector<ControlFlowGraph> graphs;
  std::vector<InstructionSamples> samples;
  std::vector<FunctionCalls> calls;
};

// Blocks: 0 the entry, 1 a hot loop, 2 the check, 3 the return, 4 the call that never returns.
CodeBuilder loop_and_check() {
  CodeBuilder code(kText);
  code.label("f").plain(4).label("loop").plain(8).jump_if("loop");
  code.plain(2).jump_if("bad").plain(9).ret().label("bad").call("abort");
  return code;
}

TEST(DeadEndFlow, IsNoneWhereNeitherReturnNorFailureWasSampled) {
  CodeBuilder code = loop_and_check();
  Program program(code);
  program.sample(0, 5000);
  program.sample(1, 40'000);
  program.sample(2, 5000);
  std::vector<double> blocks = program.blocks();
  EXPECT_LT(blocks[4], 1e-9);
  EXPECT_GT(blocks[3], 100);
  EXPECT_NEAR(blocks[3] / blocks[2], 1, 1e-6);
}

TEST(DeadEndFlow, IsNoneInBlocksThatOnlyLeadToFailures) {
  CodeBuilder code(kText);
  code.label("f").plain(4).jump_if("check").label("good").plain(9).ret();
  code.label("check").plain(4).jump_if("bad").jump("good");
  code.label("bad").plain().jump_if("worse").call("abort");
  code.label("worse").plain().jump("last").label("last").call("abort");
  Program program(code);
  program.sample(0, 5000);
  program.sample(2, 4000);
  std::vector<double> blocks = program.blocks();
  for (uint32_t block : {4u, 5u, 6u, 7u}) EXPECT_LT(blocks[block], 1e-9) << block;
  EXPECT_NEAR(blocks[1] / blocks[0], 1, 1e-6);
}

// One landing pad ends in a call such as _Unwind_Resume, one goes on in the function.
TEST(DeadEndFlow, IsNextToNothingInLandingPads) {
  CodeBuilder code(kText);
  code.label("f").plain(4).label("join").plain(9).ret();
  code.label("cleanup").plain().call("abort").label("catch").plain().jump("join");
  Program program(code);
  ASSERT_EQ(program.graphs[0].sources.size(), 3u);
  program.sample(0, 5000);
  std::vector<double> blocks = program.blocks();
  EXPECT_LT(blocks[2], .001 * blocks[0]);
  EXPECT_LT(blocks[3], .001 * blocks[0]);
}

// The blocks of f: 0 the entry, 1 the second check, 2 the return. Those of f.cold: 0 fails, 1 jumps
// back.
CodeBuilder with_cold_part() {
  CodeBuilder code(kText);
  code.label("f").plain(4).jump_if("bad").plain(4).jump_if("rare").label("back").plain(9).ret();
  code.label("f.cold").label("bad").plain(2).call("abort").label("rare").plain(2).jump("back");
  return code;
}

TEST(DeadEndFlow, IsNoneIntoAPartThatWasSplitOff) {
  CodeBuilder code = with_cold_part();
  Program program(code, {"f", "f.cold"});
  program.sample(0, 5000);
  std::vector<FunctionFlow> flows = fit_flows(program.graphs, program.samples, program.calls, {});
  EXPECT_EQ(flows[0].edges[0], 0);  // to `bad`
  EXPECT_GT(flows[0].blocks[1], 100);
  EXPECT_NEAR(flows[0].blocks[1] / flows[0].blocks[0], 1, 1e-6);
}

TEST(DeadEndFlow, GoesIntoAPartWhereThatWasSampled) {
  CodeBuilder code = with_cold_part();
  Program program(code, {"f", "f.cold"});
  program.sample(0, 5000);
  program.sample(1, 4000);
  program.sample(2, 4000);
  program.sample(0, 1000, 1);
  std::vector<FunctionFlow> flows = fit_flows(program.graphs, program.samples, program.calls, {});
  EXPECT_NEAR(flows[0].edges[0] / flows[0].blocks[0], .2, .1);
}

// What fails may still be what runs: a program that throws a lot.
TEST(DeadEndFlow, IsWhatItsSamplesShow) {
  for (double share : {.02, .3, .7}) {
    CodeBuilder code = loop_and_check();
    Program program(code);
    program.sample(0, 5000);
    program.sample(1, 40'000);
    program.sample(2, 5000);
    program.sample(3, (1 - share) * 5000);
    program.sample(4, share * 5000);
    std::vector<double> blocks = program.blocks();
    EXPECT_NEAR(blocks[4] / blocks[2], share, .35 * share);
  }
}

// The return was not sampled; one sample in the failure does not draw all flow to it.
TEST(DeadEndFlow, IsLittleForOneSample) {
  CodeBuilder code = loop_and_check();
  Program program(code);
  program.sample(0, 5000);
  program.sample(1, 40'000);
  program.sample(2, 5000);
  program.sample(4, 1);
  std::vector<double> blocks = program.blocks();
  EXPECT_GT(blocks[4], .01);
  EXPECT_LT(blocks[4], .005 * blocks[2]);
}

TEST(DeadEndFlow, IsOpenWhereAStackWasSampledBelow) {
  CodeBuilder code(kText);
  code.label("f").plain(4).jump_if("bad").plain(9).ret();
  code.label("bad").call("g").call("abort");
  code.label("g").plain(3).ret();
  Program program(code, {"f", "g"});
  std::vector<FlowLimits> limits = find_flow_limits(program.graphs, program.samples, program.calls);
  EXPECT_EQ(limits[0].edges, (std::vector<double>{0, kNoLimit}));
  EXPECT_EQ(limits[0].blocks, (std::vector<double>{kNoLimit, kNoLimit, 0}));
  program.calls[0][0].targets = {{program.graphs[1].function.begin, 1, 1, 50}};
  limits = find_flow_limits(program.graphs, program.samples, program.calls);
  EXPECT_EQ(limits[0].edges, (std::vector<double>{kNoLimit, kNoLimit}));
}

// g is hot and, as far as is known, called from a failure alone: it is called from elsewhere.
TEST(DeadEndFlow, IsNoneForTheSakeOfWhatItCalls) {
  CodeBuilder code(kText);
  code.label("f").plain(4).jump_if("bad").plain(9).ret();
  code.label("bad").plain(2).call("g").call("abort");
  code.label("g").plain(12).ret();
  Program program(code, {"f", "g"});
  program.sample(0, 100);
  program.sample(0, 9000, 1);
  EXPECT_LT(program.blocks()[2], 1e-9);
  EXPECT_GT(program.blocks(1)[0], 3000);
}

// A server's main loop, which the program leaves by exit() alone.
TEST(DeadEndFlow, LeavesLoopsThatOnlyFailuresEnd) {
  CodeBuilder code(kText);
  code.label("f").plain(4).jump_if("usage").label("loop").plain(8).jump_if("bad").plain(8);
  code.jump("loop").label("bad").call("abort").label("usage").plain(2).ret();
  Program program(code);
  program.sample(1, 4000);
  program.sample(2, 4000);
  std::vector<double> blocks = program.blocks();
  EXPECT_GT(blocks[1], 1000);
  EXPECT_NEAR(blocks[2] / blocks[1], 1, .01);
}

TEST(DeadEndFlow, IsNoneInTheFlowThatFittingStartsFrom) {
  CodeBuilder code = loop_and_check();
  Program program(code);
  program.sample(0, 5000);
  program.sample(1, 40'000);
  program.sample(2, 5000);
  FlowLimits limits = find_flow_limits(program.graphs, program.samples, program.calls)[0];
  Flow flow = estimate_flow(program.graphs[0], program.samples[0], limits);
  EXPECT_EQ(flow.blocks[4], 0);
  EXPECT_EQ(flow.blocks[3], flow.blocks[2]);
}

}  // namespace
}  // namespace pgo::infer::dead_end_flow_test
