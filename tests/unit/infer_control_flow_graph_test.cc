#include "pgo/infer/control_flow_graph.h"

#include <gtest/gtest.h>

#include "tests/data/code_builder.h"
#include "tests/data/code_graphs.h"

namespace pgo::infer {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000, kData = 0x100000;

// The graph of the first function, as text: "0[2] t1 f2" for block 0 of two instructions with a
// taken edge to 1 and a fall-through to 2; s: switch, x: a way out of the function. Then the
// sources, if there are others than the entry, and calls as "block>callee".
std::string graph_of(const CodeImage& program) {
  FunctionSymbols functions(*program.image, *program.image);
  std::optional<ControlFlowGraph> graph = test::read_graphs(program).at(0);
  if (!graph) return "nothing";
  std::string text;
  for (uint32_t b = 0; b < graph->blocks.size(); b++) {
    text += (b > 0 ? "; " : "") + std::to_string(b) + "[" + std::to_string(graph->blocks[b].count) +
            "]";
    for (const Edge& edge : graph->edges) {
      if (edge.source != b) continue;
      text += std::string(" ") + "tfsx"[edge.kind];
      if (edge.kind != Edge::kExit) text += std::to_string(edge.target);
    }
  }
  for (size_t s = 1; s < graph->sources.size(); s++)
    text += (s == 1 ? " sources " : ",") + std::to_string(graph->sources[s]);
  for (const CallSite& call : graph->calls) {
    text += " " + std::to_string(call.block) + ">";
    if (!call.callee) {
      text += "?";
      continue;
    }
    std::optional<uint32_t> callee = functions.find_entry(*call.callee);
    text += callee ? functions.functions()[*callee].name : "elsewhere";
  }
  if (graph->guessed_jumps > 0) text += " guessed";
  return text;
}

std::string graph_of(CodeBuilder& code, const std::string& data = {}) {
  std::string bytes = code.finish();
  return graph_of(CodeImage(bytes, kText, {{"f", kText, kText + bytes.size()}}, data, kData));
}

TEST(ControlFlowGraph, IsOneBlockForStraightCode) {
  CodeBuilder code(kText);
  code.plain(3).ret();
  EXPECT_EQ(graph_of(code), "0[4]");
}

TEST(ControlFlowGraph, HasADiamond) {
  CodeBuilder code(kText);
  code.plain().jump_if("else").plain().jump("end").label("else").plain(2).label("end").ret();
  EXPECT_EQ(graph_of(code), "0[2] t2 f1; 1[2] t3; 2[2] f3; 3[1]");
}

TEST(ControlFlowGraph, HasALoopToTheEntry) {
  CodeBuilder code(kText);
  code.label("loop").plain().jump_if("loop").ret();
  EXPECT_EQ(graph_of(code), "0[2] t0 f1; 1[1]");
}

TEST(ControlFlowGraph, KeepsTwoWaysToOnePlaceApart) {
  CodeBuilder code(kText);
  code.jump_if("next").label("next").ret();
  EXPECT_EQ(graph_of(code), "0[1] t1 f1; 1[1]");
}

TEST(ControlFlowGraph, RunsOnBehindCalls) {
  CodeBuilder code(kText);
  code.label_at("other", 0x9000).call("other").plain().call_rax().ret();
  EXPECT_EQ(graph_of(code), "0[4] 0>elsewhere 0>?");
}

TEST(ControlFlowGraph, EndsAtTrapsAndFindsWhatNothingReaches) {
  CodeBuilder code(kText);
  code.jump_if("bad").ret().label("bad").trap().plain().ret();
  EXPECT_EQ(graph_of(code), "0[1] t2 f1; 1[1]; 2[1]; 3[2] sources 3");
}

TEST(ControlFlowGraph, TakesTheFirstOfAnUnreachedLoopForItsRoot) {
  CodeBuilder code(kText);
  code.ret().label("a").plain().jump_if("a").jump("a");
  EXPECT_EQ(graph_of(code), "0[1]; 1[2] t1 f2; 2[1] t1 sources 1");
}

TEST(ControlFlowGraph, DoesNotEnterPadding) {
  CodeBuilder code(kText);
  code.jump("loop").padding().label("loop").plain().jump_if("loop").ret();
  EXPECT_EQ(graph_of(code), "0[1] t2; 1[1] f2; 2[2] t2 f3; 3[1]");
}

TEST(ControlFlowGraph, TellsTailCallsFromJumps) {
  CodeBuilder code(kText);
  code.jump_if("g").plain().jump("g").label("g").ret();
  uint64_t g = code.address("g");
  std::string bytes = code.finish();
  CodeImage program(bytes, kText, {{"f", kText, g}, {"g", g, kText + bytes.size()}});
  EXPECT_EQ(graph_of(program), "0[1] x f1; 1[2] 0>g 1>g");
}

TEST(ControlFlowGraph, StopsBehindCallsThatNeverReturn) {
  CodeBuilder code(kText);
  code.jump_if("bad").ret().label("bad").call("die").label("pad").plain().ret();
  // die(): calls what ends the program, by way of a function without a return.
  code.label("die").plain().jump("stop").label("stop").call("abort").label("abort").trap();
  std::string bytes = code.finish();
  auto at = [&](const char* name) { return code.address(name); };
  CodeImage program(bytes, kText,
                    {{"f", kText, at("die")},
                     {"die", at("die"), at("stop")},
                     {"stop", at("stop"), at("abort")},
                     {"abort", at("abort"), kText + bytes.size()}});
  EXPECT_EQ(graph_of(program), "0[1] t2 f1; 1[1]; 2[1]; 3[2] sources 3 2>die");
}

std::string table_of(const std::vector<int64_t>& entries, size_t size) {
  std::string table;
  for (int64_t entry : entries) {
    for (size_t i = 0; i < size; i++) table += static_cast<char>(entry >> (8 * i));
  }
  return table;
}

TEST(ControlFlowGraph, ReadsATableOfDistances) {
  CodeBuilder code(kText);
  code.label_at("table", kData).jump_by_distances("table");
  code.label("a").plain().ret().label("b").ret().label("end");
  auto distance = [&](const char* name) {
    return static_cast<int64_t>(code.address(name)) - static_cast<int64_t>(kData);
  };
  // What stands behind the table is no instruction of the function.
  std::string table =
      table_of({distance("b"), distance("a"), distance("b"), distance("a") + 1, distance("a")}, 4);
  EXPECT_EQ(graph_of(code, table), "0[4] s1 s2; 1[2]; 2[1]");
}

TEST(ControlFlowGraph, ReadsATableOfAddresses) {
  CodeBuilder code(kText);
  code.label_at("table", kData).jump_by_addresses("table");
  code.label("a").plain().ret().label("b").ret();
  std::string table = table_of({static_cast<int64_t>(code.address("b")), 0x77}, 8);
  EXPECT_EQ(graph_of(code, table), "0[2] s2; 1[2]; 2[1] sources 1");
}

TEST(ControlFlowGraph, GuessesAllTablesForAJumpItDoesNotUnderstand) {
  CodeBuilder code(kText);
  code.label_at("table", kData).jump_if("b").jump_by_addresses("table");
  code.label("a").ret().label("b").plain().jump_rax();
  std::string table = table_of({static_cast<int64_t>(code.address("a")), 0x77}, 8);
  EXPECT_EQ(graph_of(code, table), "0[1] t3 f1; 1[2] s2; 2[1]; 3[2] s2 guessed");
}

// Jumps times targets could be more than memory holds, of little code.
TEST(ControlFlowGraph, LeavesJumpsWithoutTargetsWhereThereWouldBeTooMany) {
  constexpr int kJumps = 300;
  CodeBuilder code(kText);
  code.label_at("table", kData).jump_by_addresses("table");
  std::vector<int64_t> entries;
  for (int i = 0; i < kJumps; i++) {
    code.label("at" + std::to_string(i)).jump_rax();
    entries.push_back(static_cast<int64_t>(code.address("at" + std::to_string(i))));
  }
  std::string bytes = code.finish();
  CodeImage program(bytes, kText, {{"f", kText, kText + bytes.size()}}, table_of(entries, 8),
                    kData);
  std::optional<ControlFlowGraph> graph = test::read_graphs(program).at(0);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->guessed_jumps, kJumps);
  size_t with_targets = 64 * (kJumps + 2) / kJumps;
  EXPECT_EQ(graph->edges.size(), with_targets * kJumps);
}

TEST(ControlFlowGraph, TakesAnIndirectJumpWithoutATableForACall) {
  CodeBuilder code(kText);
  code.plain().jump_rax();
  EXPECT_EQ(graph_of(code), "0[2] 0>?");
}

TEST(ControlFlowGraph, IsNothingWithoutInstructions) {
  EXPECT_EQ(graph_of(CodeImage("\x06\x06", kText, {{"f", kText, kText + 2}})), "nothing");
}

TEST(FunctionSymbols, TakeTheLongestOfThoseThatBeginTogetherAndTheFirstOfThoseThatOverlap) {
  std::string code(32, '\xc3');
  CodeImage program(code, kText,
                    {{"short", kText, kText + 4},
                     {"long", kText, kText + 8},
                     {"inside", kText + 6, kText + 12},
                     {"next", kText + 8, kText + 9},
                     {"beyond", kText + 31, kText + 33}});
  FunctionSymbols functions(*program.image, *program.image);
  std::string names;
  for (const FunctionSymbol& function : functions.functions())
    names += std::string(function.name) + " ";
  EXPECT_EQ(names, "long next ");
  EXPECT_EQ(functions.find(ElfAddr{kText + 7}), 0u);
  EXPECT_EQ(functions.find(ElfAddr{kText + 9}), std::nullopt);
  EXPECT_EQ(functions.find_entry(ElfAddr{kText + 7}), std::nullopt);
}

}  // namespace
}  // namespace pgo::infer
