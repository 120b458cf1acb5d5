#include "pgo/infer/observed_calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "pgo/infer/execution_model.h"
#include "pgo/infer/inferred_counts.h"
#include "pgo/infer/observed_branches.h"
#include "tests/data/code_builder.h"
#include "tests/data/code_graphs.h"

namespace pgo::infer::observed_calls_test {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000;

// main calls a directly, something indirectly, and hop, which goes on to where %rax says; two calls
// of a have nothing between them.
struct Program {
  CodeBuilder code{kText};
  std::unique_ptr<CodeImage> image;
  std::vector<ControlFlowGraph> graphs;

  Program() {
    code.plain(3).label("direct").call("a").label("twice").call("a").label("behind_twice");
    code.label("indirect").call_rax().label("behind_indirect").plain();
    code.label("to_hop").call("hop").label("behind_hop").plain(2).ret();
    code.label("a").plain(4).label("in_a").plain().ret();
    code.label("b").plain(4).ret();
    code.label("hop").plain(2).label("way_out").jump_rax();
    code.label("b.cold").plain(4).ret();
    code.label("hop.cold").plain(4).ret();
    std::vector<std::string> names = {"main", "a", "b", "hop", "b.cold", "hop.cold"};
    std::string bytes = code.finish();
    code.label_at("main", kText).label_at("end", kText + bytes.size());
    std::vector<CodeImage::Function> functions;
    for (size_t i = 0; i < names.size(); i++)
      functions.push_back(
          {names[i], at(names[i]).value, at(i + 1 < names.size() ? names[i + 1] : "end").value});
    image = std::make_unique<CodeImage>(bytes, kText, functions);
    for (auto& graph : test::read_graphs(*image)) graphs.push_back(*std::move(graph));
  }

  ElfAddr at(const std::string& label) const { return ElfAddr{code.address(label)}; }
  ElfAddr last_byte_before(const std::string& label) const {
    return ElfAddr{code.address(label) - 1};
  }

  // What is known of each call: "main+6: entered 3, a 0.25, b 0.75".
  std::string observed(std::vector<CallEdge> calls, double weight = 1,
                       const std::vector<RecordedCall>& recorded = {}) const {
    BinaryCounts counts;
    counts.calls = std::move(calls);
    counts.normalize();
    FunctionSymbols functions(*image->image, *image->image);
    std::ostringstream text;
    std::vector<FunctionCalls> all =
        observe_calls(graphs, functions, counts.calls, recorded, weight);
    for (size_t g = 0; g < graphs.size(); g++)
      for (size_t c = 0; c < graphs[g].calls.size(); c++) {
        const SiteCalls& site = all[g][c];
        if (site.entered == 0 && site.targets.empty()) continue;
        ElfAddr addr = graphs[g].instructions[graphs[g].calls[c].instruction].addr;
        text << graphs[g].function.name << "+" << addr.value - graphs[g].function.begin.value
             << ": entered " << site.entered;
        for (const CallTarget& target : site.targets)
          text << ", " << functions.functions()[*functions.find(target.entry)].name << " "
               << target.share;
        text << "; ";
      }
    return text.str();
  }
};

TEST(ObservedCalls, FindCallsByWhereTheyReturnAndByWhereTheyAre) {
  Program program;
  ElfAddr a = program.at("a");
  EXPECT_EQ(program.observed({{program.at("twice"), a, true, 3}}), "main+6: entered 3, a 1; ");
  EXPECT_EQ(program.observed({{program.last_byte_before("twice"), a, true, 3}}),
            "main+6: entered 3, a 1; ");
  EXPECT_EQ(program.observed({{program.at("direct"), a, true, 3}}), "main+6: entered 3, a 1; ");
  // Both: where the first call returns is where the second one is.
  EXPECT_EQ(program.observed({{program.at("behind_twice"), a, true, 2}}),
            "main+11: entered 2, a 1; ");
  EXPECT_EQ(program.observed({{program.at("twice"), a, true, 30}}, 10), "main+6: entered 3, a 1; ");
}

// A record names its call by where it is, also where another call returns there. Of a jump only
// what it enters is known.
TEST(ObservedCalls, TakeCallsOfBranchRecordsByTheirPlaces) {
  Program program;
  const std::vector<Trace> traces{{program.at("twice"), program.at("a"), {}, {}, 4},
                                  {program.at("indirect"), program.at("b"), {}, {}, 6},
                                  {program.at("way_out"), program.at("a"), {}, {}, 5}};
  const std::vector<RecordedCall> recorded = calls_in(program.graphs, traces, 10);
  EXPECT_EQ(program.observed({}, 10, recorded),
            "main+11: entered 4, a 1; main+16: entered 6, b 1; ");
  // Added to what stacks show.
  EXPECT_EQ(
      program.observed({{program.at("behind_indirect"), program.at("a"), true, 20}}, 10, recorded),
      "main+11: entered 4, a 1; main+16: entered 8, a 0.25, b 0.75; ");
}

TEST(ObservedCalls, CountEntriesByTheFirstInstructionOnly) {
  Program program;
  EXPECT_EQ(program.observed({{program.at("twice"), program.at("in_a"), true, 3}}),
            "main+6: entered 0, a 1; ");
  EXPECT_EQ(program.observed({{program.at("twice"), program.at("a"), false, 3}}), "");
}

TEST(ObservedCalls, IgnoreCallersThatCallSomethingElse) {
  Program program;
  // An instruction that is no call, an address outside, and a call of another function.
  EXPECT_EQ(program.observed({{ElfAddr{kText + 2}, program.at("a"), true, 3},
                              {ElfAddr{1}, program.at("a"), true, 3},
                              {ElfAddr{kText + 0x9000}, program.at("a"), true, 3},
                              {program.at("twice"), ElfAddr{0x9999}, true, 3},
                              {program.at("twice"), program.at("b"), true, 3}}),
            "");
}

TEST(ObservedCalls, TellIndirectTargetsByTimeUntilEnoughEntriesAreSeen) {
  Program program;
  ElfAddr site = program.at("behind_indirect");
  ElfAddr in_b{program.at("b").value + 2};
  EXPECT_EQ(program.observed({{site, program.at("in_a"), true, 1},
                              {site, program.at("a"), true, 1},
                              {site, in_b, false, 2},
                              {site, in_b, true, 4}}),
            "main+16: entered 1, a 0.25, b 0.75; ");
  EXPECT_EQ(program.observed({{site, program.at("a"), true, 15},
                              {site, program.at("b"), true, 5},
                              {site, in_b, true, 1000}}),
            "main+16: entered 20, a 0.75, b 0.25; ");
}

// A function that has gone on into another one is no longer on the stack.
TEST(ObservedCalls, FindTheJumpByWhichACalledFunctionWentOn) {
  Program program;
  ElfAddr site = program.at("behind_hop");
  EXPECT_EQ(program.observed({{site, program.at("in_a"), true, 1},
                              {site, program.at("b"), true, 1},
                              {site, program.at("hop"), true, 7}}),
            "main+20: entered 7, hop 1; hop+4: entered 1, a 0.5, b 0.5; ");
}

// Code that was split off a function is entered by the function.
TEST(ObservedCalls, AreOfTheFunctionThatAPartWasSplitOff) {
  Program program;
  ElfAddr site = program.at("behind_indirect"), cold = program.at("b.cold");
  EXPECT_EQ(program.observed({{site, program.at("in_a"), true, 1},
                              {site, cold, true, 1},
                              {site, ElfAddr{cold.value + 2}, false, 1},
                              {site, ElfAddr{program.at("b").value + 2}, true, 1}}),
            "main+16: entered 0, a 0.25, b 0.75; ");
  // It was called, so it did not go on into something else.
  EXPECT_EQ(program.observed({{program.at("behind_hop"), program.at("hop.cold"), true, 1}}),
            "main+20: entered 0, hop 1; ");
  EXPECT_EQ(program.observed({{program.at("behind_hop"), cold, true, 1}}),
            "hop+4: entered 0, b 1; ");
}

// Ten samples are in a itself: too few to go by, so those below it count, too. Of b there are
// enough, and where a call had none of them, those below it count a little.
TEST(ObservedCalls, TellPartsByTheTimeOfTheFunctionItself) {
  Program program;
  FunctionSymbols functions(*program.image->image, *program.image->image);
  ElfAddr in_a = program.at("in_a"), in_b{program.at("b").value + 2};
  std::vector<CallEdge> seen = {{program.at("twice"), in_a, true, 10},
                                {program.at("twice"), in_a, false, 5},
                                {program.at("behind_twice"), in_a, false, 45},
                                {program.at("behind_indirect"), in_b, true, 30},
                                {program.at("behind_indirect"), in_b, false, 100},
                                {program.at("behind_hop"), in_b, false, 70}};
  std::vector<FunctionCalls> calls = observe_calls(program.graphs, functions, seen, {}, 1);
  EXPECT_DOUBLE_EQ(calls[0][0].targets[0].part, .25);
  EXPECT_DOUBLE_EQ(calls[0][0].targets[0].samples, 15);
  EXPECT_DOUBLE_EQ(calls[0][1].targets[0].part, .75);
  EXPECT_DOUBLE_EQ(calls[0][2].targets[0].part, 31.3 / 32);
  EXPECT_DOUBLE_EQ(calls[0][2].targets[0].samples, 31.3);
  size_t hop = 3;
  EXPECT_DOUBLE_EQ(calls[hop][0].targets[0].part, .7 / 32);
}

// A caller that was not sampled itself has a part all the same.
TEST(ObservedCalls, LeavePartsToCallersThatWereNotSampled) {
  Program program;
  FunctionSymbols functions(*program.image->image, *program.image->image);
  std::vector<CallEdge> seen = {{ElfAddr{kText + 0x9000}, program.at("in_a"), true, 75},
                                {program.at("twice"), program.at("in_a"), true, 25}};
  std::vector<FunctionCalls> calls = observe_calls(program.graphs, functions, seen, {}, 1);
  EXPECT_DOUBLE_EQ(calls[0][0].targets[0].part, .25);
}

// Of a's entries a quarter come from the indirect call, and of b's all do.
TEST(ObservedCalls, ShareEntriesLikeTheTimeBelowCalls) {
  Program program;
  FunctionSymbols functions(*program.image->image, *program.image->image);
  ElfAddr in_b{program.at("b").value + 2}, site = program.at("behind_indirect");
  BinaryCounts counts;
  counts.calls = {{program.at("twice"), program.at("in_a"), true, 300},
                  {site, program.at("in_a"), true, 100},
                  {site, in_b, true, 100}};
  counts.normalize();
  std::vector<FunctionCalls> calls = observe_calls(program.graphs, functions, counts.calls, {}, 1);
  auto targets = [&]() -> const std::vector<CallTarget>& { return calls[0][2].targets; };
  ASSERT_EQ(targets().size(), 2u);
  EXPECT_DOUBLE_EQ(targets()[0].share, .5);
  share_by_entries(program.graphs, {1, 400, 900, 1, 1, 1}, calls);
  EXPECT_DOUBLE_EQ(targets()[0].share, .1);
  EXPECT_DOUBLE_EQ(targets()[1].share, .9);
  // What was not sampled is entered a little.
  share_by_entries(program.graphs, {1, 0, 0, 1, 1, 1}, calls);
  EXPECT_DOUBLE_EQ(targets()[0].share, .2);
}

// A target that was never seen at its first instruction is one all the same.
TEST(ObservedCalls, ForgetNoTargetWhereEntriesDecideFirst) {
  Program program;
  ElfAddr site = program.at("behind_indirect"), in_b{program.at("b").value + 2};
  std::vector<CallEdge> seen = {{site, program.at("a"), true, 20}, {site, in_b, true, 60}};
  EXPECT_EQ(program.observed(seen), "main+16: entered 20, a 1, b 0; ");
  FunctionSymbols functions(*program.image->image, *program.image->image);
  std::vector<FunctionCalls> calls = observe_calls(program.graphs, functions, seen, {}, 1);
  share_by_entries(program.graphs, {1, 100, 300, 1, 1, 1}, calls);
  EXPECT_DOUBLE_EQ(calls[0][2].targets[1].share, .75);
  // Half of the samples may be none of a pair.
  for (CallEdge& edge : seen) edge.count = 0;
  EXPECT_EQ(program.observed(seen), "");
}

// f calls through a register what loops to its own first instruction, and what does not; both take
// as much time, and are entered as often.
TEST(ObservedCalls, TakeNoRoundsOfALoopForCalls) {
  CodeBuilder code(kText);
  code.plain(2).label("call").call_rax().label("behind").plain(2).jump_if("f_again").ret();
  code.label("f_again").plain(2).ret().label("loops").plain(8).jump_if("loops").ret();
  code.label("runs").plain(80).ret().label("end");
  std::string bytes = code.finish();
  auto at = [&](const char* label) { return ElfAddr{code.address(label)}; };
  CodeImage program(bytes, kText,
                    {{"f", kText, at("loops").value},
                     {"loops", at("loops").value, at("runs").value},
                     {"runs", at("runs").value, at("end").value}});
  BinaryCounts counts;
  for (ElfAddr addr{kText}; addr < at("end"); addr.value++) {
    uint64_t samples = addr >= at("loops") && addr < at("runs") ? 100u : 10u;
    counts.pc_samples.push_back({addr, samples, samples});
  }
  counts.calls = {{at("behind"), at("loops"), true, 400},
                  {at("behind"), at("runs"), true, 40},
                  {at("behind"), ElfAddr{at("runs").value + 4}, true, 400}};
  counts.normalize();
  InferredCounts inferred = infer_counts(*program.image, *program.image, counts, {}).value();
  const InferredFunction& loops = inferred.functions[1];
  double rounds = loops.flow.blocks[0], entries = rounds;
  for (size_t e = 0; e < loops.graph.edges.size(); e++)
    if (loops.graph.edges[e].kind == Edge::kTaken) entries -= loops.flow.edges[e];
  ASSERT_LT(entries, rounds / 2);
  const std::vector<CallTarget>& targets = inferred.functions[0].calls[0].targets;
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(inferred.functions[0].calls[0].entered, 40);
  EXPECT_NEAR(targets[0].share, entries / (entries + inferred.functions[2].flow.blocks[0]), 1e-9);

  std::vector<ControlFlowGraph> graphs;
  for (const InferredFunction& function : inferred.functions) graphs.push_back(function.graph);
  std::vector<FunctionCalls> at_first =
      observe_calls(graphs, FunctionSymbols(*program.image, *program.image), counts.calls, {}, 1);
  EXPECT_DOUBLE_EQ(at_first[0][0].targets[0].share, 400. / 840);
}

TEST(ObservedCalls, BecomeBranchesToWhatIndirectCallsCall) {
  Program program;
  BinaryCounts counts;
  for (ElfAddr addr{kText}; addr < program.at("hop"); addr.value++)
    counts.pc_samples.push_back({addr, 9, 9});
  counts.calls = {{program.at("behind_indirect"), program.at("in_a"), true, 30},
                  {program.at("behind_indirect"), ElfAddr{program.at("b").value + 2}, true, 10}};
  counts.normalize();
  const ElfImage& image = *program.image->image;
  BinaryCounts traces = infer_counts(image, image, counts, {}).value().to_traces();
  auto branches = [&](const std::string& from, const std::string& to) {
    double sum = 0;
    for (const Trace& trace : traces.traces)
      if (trace.from == program.at(from) && trace.to == program.at(to))
        sum += static_cast<double>(trace.count);
    return sum;
  };
  double to_a = branches("indirect", "a"), to_b = branches("indirect", "b");
  EXPECT_GT(to_a, 0);
  EXPECT_GT(to_b, 0);
  EXPECT_NEAR((to_a + to_b) / branches("direct", "a"), 1, .01);
}

TEST(ObservedCalls, EnterAFunctionAsOftenAsItIsCalledIndirectly) {
  Program program;
  FunctionSymbols functions(*program.image->image, *program.image->image);
  std::vector<InstructionSamples> samples;
  for (const ControlFlowGraph& graph : program.graphs)
    samples.emplace_back(graph.instructions.size(), graph.function.name == "main" ? 50.0 : 0.0);
  samples[2][1] = 1;  // of b next to nothing was seen
  auto entries_of_b = [&](const std::vector<CallEdge>& calls) {
    std::vector<FunctionFlow> flows = fit_flows(
        program.graphs, samples, observe_calls(program.graphs, functions, calls, {}, 1), {});
    return flows[2].blocks[0] / flows[0].blocks[0];
  };
  ElfAddr in_b{program.at("b").value + 2};
  EXPECT_LT(entries_of_b({}), .1);
  EXPECT_GT(entries_of_b({{program.at("behind_indirect"), in_b, true, 1}}), .4);
}

// More samples at the beginning of what is called than elsewhere in the caller: it ran more often.
TEST(ObservedCalls, ConstrainTheFlowOfTheirCallers) {
  CodeBuilder code(kText);
  code.plain().jump_if("skip").call("g").label("behind").label("skip").plain().ret();
  code.label("g").plain(2).ret();
  uint64_t g = code.address("g"), behind = code.address("behind");
  std::string bytes = code.finish();
  CodeImage program(bytes, kText, {{"f", kText, g}, {"g", g, kText + bytes.size()}});
  std::vector<ControlFlowGraph> graphs;
  for (auto& graph : test::read_graphs(program)) graphs.push_back(*std::move(graph));
  FunctionSymbols functions(*program.image, *program.image);
  std::vector<InstructionSamples> samples;
  for (const ControlFlowGraph& graph : graphs) samples.emplace_back(graph.instructions.size(), 5.0);
  std::vector<FunctionCalls> calls =
      observe_calls(graphs, functions, {{ElfAddr{behind}, ElfAddr{g}, true, 400}}, {}, 1);
  ModelOptions ignored, used;
  used.entry_constraint = EntryConstraint::kOn;
  double without = fit_flows(graphs, samples, calls, ignored)[0].blocks[1];
  double with = fit_flows(graphs, samples, calls, used)[0].blocks[1];
  EXPECT_GT(with, 2 * without);
}

}  // namespace
}  // namespace pgo::infer::observed_calls_test
