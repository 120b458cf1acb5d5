#include "pgo/infer/observed_branches.h"

#include <gtest/gtest.h>

#include "tests/data/code_builder.h"
#include "tests/data/code_graphs.h"

namespace pgo::infer::observed_branches_test {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000;

// f: a branch over a block, a loop, a call of g, and a branch that leaves for g; g returns.
struct Program {
  CodeBuilder code{kText};
  std::vector<ControlFlowGraph> graphs;
  uint64_t branch = 0, behind = 0, skipped = 0, loop = 0, back = 0, call = 0, leave = 0, end = 0,
           g = 0;

  Program() {
    code.plain(2).label("branch").jump_if("over").label("behind").plain(3);
    code.label("over").plain().label("loop").plain(2).label("back").jump_if("loop");
    code.plain().label("call").call("g").plain().label("leave").jump_if("g");
    code.plain().label("end").ret().label("g").plain(2).ret();
    branch = code.address("branch"), behind = code.address("behind"),
    skipped = code.address("over");
    loop = code.address("loop"), back = code.address("back"), call = code.address("call");
    leave = code.address("leave"), end = code.address("end"), g = code.address("g");
    const std::string bytes = code.finish();
    CodeImage image(bytes, kText, {{"f", kText, g}, {"g", g, kText + bytes.size()}});
    for (std::optional<ControlFlowGraph>& graph : test::read_graphs(image))
      graphs.push_back(std::move(graph).value());
  }

  // What was seen of the way of f from the block that ends with `from` to that which begins at
  // `to`.
  double count(const std::vector<EdgeCounts>& counts, uint64_t from, uint64_t to) const {
    const ControlFlowGraph& f = graphs[0];
    for (size_t e = 0; e < f.edges.size(); e++) {
      const Block& source = f.blocks[f.edges[e].source];
      if (f.instructions[source.first + source.count - 1].addr.value != from) continue;
      if (f.edges[e].kind == Edge::kExit) continue;
      if (f.instructions[f.blocks[f.edges[e].target].first].addr.value == to) return counts[0][e];
    }
    ADD_FAILURE() << "no edge from " << from << " to " << to;
    return 0;
  }
  // The same of its way out of f.
  double count_exit(const std::vector<EdgeCounts>& counts) const {
    const ControlFlowGraph& f = graphs[0];
    for (size_t e = 0; e < f.edges.size(); e++)
      if (f.edges[e].kind == Edge::kExit) return counts[0][e];
    ADD_FAILURE() << "no edge leaves";
    return 0;
  }
};

Trace trace(OptElfAddr from, OptElfAddr to, OptElfAddr last, uint64_t count,
            TraceReading reading = TraceReading::kBoth) {
  return {from, to, last, reading, count};
}

TEST(ObservedBranches, CountsBothWaysOfABranch) {
  const Program program;
  const std::vector<Trace> traces{
      // Entered, through the branch that was not taken, round the loop.
      trace({}, ElfAddr{kText}, ElfAddr{program.back}, 6),
      trace(ElfAddr{program.branch}, ElfAddr{program.skipped}, ElfAddr{program.back}, 10),
      trace(ElfAddr{program.back}, ElfAddr{program.loop}, ElfAddr{program.back}, 40),
      trace(ElfAddr{program.back}, ElfAddr{program.loop}, ElfAddr{program.call}, 4)};
  const std::vector<EdgeCounts> counts = observe_branches(program.graphs, traces, 2);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(program.count(counts, program.branch, program.skipped), 5);
  EXPECT_EQ(program.count(counts, program.branch, program.behind), 3);
  EXPECT_EQ(program.count(counts, program.back, program.loop), 22);
  for (double of_g : counts[1]) EXPECT_EQ(of_g, 0);
}

TEST(ObservedBranches, CountsBothWaysOfABranchThatLeavesItsFunction) {
  const Program program;
  const ElfAddr leave{program.leave}, g{program.g};
  const uint64_t behind_leave = program.end - 2;
  std::vector<Trace> traces{trace(leave, g, g, 6), trace({}, leave, ElfAddr{program.end}, 5),
                            // Where g goes on, which another function may do, too.
                            trace(leave, ElfAddr{program.g + 2}, ElfAddr{program.g + 2}, 3)};
  std::vector<EdgeCounts> counts = observe_branches(program.graphs, traces, 1);
  EXPECT_EQ(program.count_exit(counts), 9);
  EXPECT_EQ(program.count(counts, program.leave, behind_leave), 5);

  // This branch cannot go to the middle of a block of f, nor to the beginning of one.
  traces = {trace(leave, ElfAddr{program.behind + 2}, ElfAddr{program.behind + 4}, 1),
            trace(leave, ElfAddr{program.behind}, ElfAddr{program.behind + 4}, 1)};
  counts = observe_branches(program.graphs, traces, 1);
  EXPECT_EQ(program.count_exit(counts), 0);
}

// Records that touch no branch of a graph, or that BOLT reads otherwise, tell nothing.
TEST(ObservedBranches, IgnoresWhatIsNoWayOfAGraph) {
  const Program program;
  const std::vector<Trace> traces{
      trace(ElfAddr{kText - 8}, ElfAddr{kText - 4}, ElfAddr{kText - 2}, 1),
      trace(ElfAddr{program.branch + 1}, ElfAddr{program.skipped}, {}, 1),  // within an instruction
      trace(ElfAddr{kText}, ElfAddr{program.loop}, {}, 1),                  // no branch
      trace(ElfAddr{program.branch}, ElfAddr{program.loop}, {}, 1),         // not its target
      trace(ElfAddr{program.branch}, ElfAddr{program.skipped}, ElfAddr{program.back}, 1,
            TraceReading::kBolt),
      trace(ElfAddr{~uint64_t{0}}, ElfAddr{~uint64_t{0}}, ElfAddr{~uint64_t{0}}, 1),
      trace({}, ElfAddr{program.back}, ElfAddr{program.branch}, 1),  // backwards
      // The newest one: what ran behind it is not known.
      trace(ElfAddr{program.branch}, ElfAddr{program.skipped}, {}, 1)};
  for (const EdgeCounts& counts : observe_branches(program.graphs, traces, 1))
    for (double count : counts) EXPECT_EQ(count, 0);
  EXPECT_TRUE(observe_branches({}, traces, 1).empty());
}

TEST(ObservedBranches, FindsCallsOfBeginnings) {
  const Program program;
  const std::vector<Trace> traces{
      trace(ElfAddr{program.call}, ElfAddr{program.g}, {}, 3),
      trace(ElfAddr{program.call}, ElfAddr{program.g + 1}, {}, 1),  // not where g begins
      trace(ElfAddr{program.back}, ElfAddr{program.g}, {}, 1),      // not a call
      trace(ElfAddr{program.leave}, ElfAddr{program.g}, {}, 2),     // a jump
      trace({}, ElfAddr{program.g}, {}, 1)};
  EXPECT_EQ(calls_in(program.graphs, traces, 2.5),
            (std::vector<RecordedCall>{{CallPlace{0, 0}, ElfAddr{program.g}, 8},
                                       {std::nullopt, ElfAddr{program.g}, 5}}));
}

}  // namespace
}  // namespace pgo::infer::observed_branches_test
