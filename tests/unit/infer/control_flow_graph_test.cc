#include "pgo/infer/control_flow_graph.h"

#include <gtest/gtest.h>

#include "tests/data/byte_writer.h"
#include "tests/data/code_builder.h"
#include "tests/data/code_graphs.h"

namespace pgo::infer::control_flow_graph_test {
namespace {

using test::ByteVector;
using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000, kData = 0x100000;

// The graph of the first function, as text: "0[2] t1 f2" for block 0 of two instructions with a
// taken edge to 1 and a fall-through to 2; s: switch, x: a way out of the function; "!" behind
// blocks that are dead ends, and edges to those. Then the sources, if there are others than the
// entry, and calls as "block>callee".
std::string graph_of(const CodeImage& program) {
  FunctionSymbols functions(*program.image, *program.image);
  std::optional<ControlFlowGraph> graph = test::read_graphs(program).at(0);
  if (!graph) return "nothing";
  std::string text;
  for (uint32_t b = 0; b < graph->blocks.size(); b++) {
    text += (b > 0 ? "; " : "") + std::to_string(b) + "[" + std::to_string(graph->blocks[b].count) +
            "]" + (graph->blocks[b].dead_end ? "!" : "");
    for (const Edge& edge : graph->edges) {
      if (edge.source != b) continue;
      text += std::string(" ") + "tfsx"[edge.kind];
      if (edge.kind != Edge::kExit) text += std::to_string(edge.target);
      if (edge.to_dead_end) text += "!";
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
  EXPECT_EQ(graph_of(code), "0[1] t2! f1; 1[1]; 2[1]!; 3[2] sources 3");
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
  EXPECT_EQ(graph_of(program), "0[1] t2! f1; 1[1]; 2[1]!; 3[2] sources 3 2>die");
}

// A program whose f calls what is imported as `name`, in one of the ways to call it.
struct Importer {
  enum Way { kPlt, kPltWithBnd, kPltSec, kPltSecWithBnd, kPltGot, kGot, kJumpByGot };
  static constexpr uint64_t kPltAddr = 0x2000, kSlot = 0x4010;

  explicit Importer(Way way, const std::string& name) {
    CodeBuilder plt(kPltAddr);
    plt.label_at("slot", kSlot).plain(8).label("entry");
    if (way == kPltSec || way == kPltSecWithBnd) plt.endbr64();
    if (way == kPltWithBnd || way == kPltSecWithBnd) plt.bytes({0xf2});
    plt.jump_through("slot").padding().padding();
    CodeBuilder code(kText);
    code.label_at("slot", kSlot).label_at("entry", plt.address("entry"));
    code.jump_if("bad").ret().label("bad");
    if (way == kJumpByGot)
      code.jump_through("slot");
    else if (way == kGot)
      code.call_through("slot");
    else
      code.call("entry");
    code.plain().ret();
    bool is_second = way == kPltSec || way == kPltSecWithBnd;
    std::string table = is_second ? ".plt.sec" : way == kPltGot ? ".plt.got" : ".plt";
    bool is_data = way == kPltGot || way == kGot || way == kJumpByGot;
    uint64_t type = is_data ? R_X86_64_GLOB_DAT : R_X86_64_JUMP_SLOT;
    ByteVector relocation, symbols(sizeof(Elf64_Sym));
    test::put64(relocation, kSlot);
    test::put64(relocation, ELF64_R_INFO(1, type));
    test::put64(relocation, 0);
    test::put32(symbols, 1);
    symbols.resize(2 * sizeof(Elf64_Sym));
    std::string bytes = code.finish();
    program = std::make_unique<CodeImage>(
        bytes, kText, std::vector<CodeImage::Function>{{"f", kText, kText + bytes.size()}}, "", 0,
        std::vector<CodeImage::Section>{
            {table, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kPltAddr, plt.finish()},
            {is_data ? ".rela.dyn" : ".rela.plt", SHT_RELA, SHF_ALLOC, 0x600,
             std::string(relocation.begin(), relocation.end())},
            {".dynsym", SHT_DYNSYM, SHF_ALLOC, 0x700, std::string(symbols.begin(), symbols.end())},
            {".dynstr", SHT_STRTAB, SHF_ALLOC, 0x800, std::string(1, '\0') + name + '\0'}});
  }

  std::unique_ptr<CodeImage> program;
};

TEST(ControlFlowGraph, StopsBehindImportsThatNeverReturn) {
  for (const char* name :
       {"abort", "exit", "__stack_chk_fail", "__chk_fail", "__cxa_throw", "longjmp",
        "_ZSt20__throw_length_errorPKc", "_ZNSt3__120__throw_length_errorB8ne180100EPKc",
        "_ZSt21__glibcxx_assert_failPKciS0_S0_"}) {
    for (Importer::Way way : {Importer::kPlt, Importer::kPltWithBnd, Importer::kPltSec,
                              Importer::kPltSecWithBnd, Importer::kPltGot, Importer::kGot}) {
      std::string callee = way == Importer::kGot ? "?" : "elsewhere";
      EXPECT_EQ(graph_of(*Importer(way, name).program),
                "0[1] t2! f1; 1[1]; 2[1]!; 3[2] sources 3 2>" + callee)
          << name << " " << way;
    }
    EXPECT_EQ(graph_of(*Importer(Importer::kJumpByGot, name).program),
              "0[1] t2! f1; 1[1]; 2[1]!; 3[2] sources 3 2>?")
        << name;
  }
  EXPECT_EQ(graph_of(*Importer(Importer::kPltSec, "puts").program),
            "0[1] t2 f1; 1[1]; 2[3] 2>elsewhere");
  EXPECT_EQ(graph_of(*Importer(Importer::kJumpByGot, "puts").program),
            "0[1] t2 f1; 1[1]; 2[1]; 3[2] sources 3 2>?");
}

// f, which may return, die(), abort(), and a server's loop, of which f calls some.
std::string graph_with_failures(CodeBuilder& code) {
  code.label("after_f").label("die").plain().call("abort").label("abort").trap();
  code.label("serve").plain().jump_if("serve").call("abort").label("end");
  auto at = [&](const char* name) { return code.address(name); };
  uint64_t begin_of_f = kText;
  std::string bytes = code.finish();
  return graph_of(CodeImage(bytes, kText,
                            {{"f", begin_of_f, at("after_f")},
                             {"die", at("die"), at("abort")},
                             {"abort", at("abort"), at("serve")},
                             {"serve", at("serve"), at("end")}}));
}

TEST(ControlFlowGraph, HasDeadEndsWhereAllPathsEndInFailures) {
  CodeBuilder code(kText);
  code.jump_if("check").label("good").ret();
  // Two blocks before the call, with a branch between two calls, one of which jumps to the other.
  code.label("check").jump_if("bad").jump("good");
  code.label("bad").plain().jump_if("worse").call("die").label("worse").plain().jump("last");
  code.label("last").call("abort");
  EXPECT_EQ(graph_with_failures(code),
            "0[1] t2 f1; 1[1]; 2[1] t4! f3; 3[1] t1; 4[2]! t6 f5; 5[1]!; 6[2]! t7; 7[1]! "
            "5>die 7>abort");
}

TEST(ControlFlowGraph, HasNoDeadEndWhereALoopMayRunOn) {
  CodeBuilder code(kText);
  code.jump_if("server").ret().label("server").plain();
  code.label("loop").plain().jump_if("bad").jump("loop").label("bad").call("die");
  EXPECT_EQ(graph_with_failures(code),
            "0[1] t2 f1; 1[1]; 2[1] f3; 3[2] t5! f4; 4[1] t3; 5[1]! 5>die");
}

TEST(ControlFlowGraph, HasNoDeadEndAtACallOfAServer) {
  CodeBuilder code(kText);
  code.jump_if("server").ret().label("server").plain().call("serve");
  EXPECT_EQ(graph_with_failures(code), "0[1] t2 f1; 1[1]; 2[2] 2>serve");
}

TEST(ControlFlowGraph, TakesACallThatNothingFollowsForAFailure) {
  CodeBuilder code(kText);
  code.label_at("unknown", 0x9000).jump_if("bad").ret().label("bad").call("unknown").padding();
  EXPECT_EQ(graph_of(code), "0[1] t2! f1; 1[1]; 2[2]! 2>elsewhere");
}

// GCC puts what it takes for unlikely into f.cold, several pieces of it one behind the other.
TEST(ControlFlowGraph, FollowsJumpsToAPartThatWasSplitOff) {
  for (unsigned length : {1u, 300u}) {
    CodeBuilder code(kText);
    code.jump_if("bad").jump_if("rare").label("back").ret();
    code.label("after_f").label("bad").plain(length).call("abort");
    code.label("rare").plain().jump("back").label("after_cold");
    code.label("abort").trap().label("end");
    auto at = [&](const char* name) { return code.address(name); };
    std::string bytes = code.finish();
    // A long piece is not looked through.
    EXPECT_EQ(graph_of(CodeImage(bytes, kText,
                                 {{"f", kText, at("after_f")},
                                  {"f.cold", at("after_f"), at("after_cold")},
                                  {"abort", at("abort"), at("end")}})),
              std::string("0[1] x") + (length == 1 ? "!" : "") +
                  " f1; 1[1] x f2; 2[1] 0>f.cold 1>elsewhere");
  }
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

// f: a block of three instructions, one of two bytes that are no instruction and one, then padding
// that is of no function; g.
TEST(ControlFlowGraph, FindsWhatIsAtAnAddress) {
  CodeBuilder code(kText);
  code.plain(2).label("branch").jump_if("end").label("call").call("g").bytes({0x06, 0x06});
  code.label("end").ret().label("padding").padding().label("g").plain().ret();
  const std::string bytes = code.finish();
  auto at = [&](const char* label) { return ElfAddr{code.address(label)}; };
  auto behind = [](ElfAddr addr, uint64_t distance) { return ElfAddr{addr.value + distance}; };
  const ElfAddr f{kText}, end_of_g{kText + bytes.size()};
  const CodeImage program(
      bytes, kText, {{"f", kText, at("padding").value}, {"g", at("g").value, end_of_g.value}});
  std::vector<ControlFlowGraph> graphs;
  for (auto& graph : test::read_graphs(program)) graphs.push_back(*std::move(graph));
  const ControlFlowGraph& graph = graphs[0];

  EXPECT_EQ(find_graph(graphs, ElfAddr{kText - 1}), nullptr);
  EXPECT_EQ(find_graph(graphs, f), &graphs[0]);
  EXPECT_EQ(find_graph(graphs, at("end")), &graphs[0]);
  EXPECT_EQ(find_graph(graphs, at("padding")), nullptr);
  EXPECT_EQ(find_graph(graphs, behind(at("g"), 1)), &graphs[1]);
  EXPECT_EQ(find_graph(graphs, end_of_g), nullptr);

  EXPECT_EQ(graph.instruction_at(ElfAddr{kText - 1}), std::nullopt);
  EXPECT_EQ(graph.instruction_at(at("branch")), 2u);
  EXPECT_EQ(graph.instruction_at(behind(at("branch"), 5)), 2u);
  EXPECT_EQ(graph.instruction_at(behind(at("call"), 5)), std::nullopt);
  EXPECT_EQ(graph.instruction_at(at("padding")), std::nullopt);
  EXPECT_EQ(graph.instruction_starting_at(at("branch")), 2u);
  EXPECT_EQ(graph.instruction_starting_at(behind(at("branch"), 5)), std::nullopt);
  EXPECT_EQ(graph.call_by(3), 0u);
  EXPECT_EQ(graph.call_by(2), std::nullopt);
  EXPECT_EQ(graph.call_by(4), std::nullopt);

  ASSERT_EQ(graph.blocks.size(), 3u);
  EXPECT_EQ(graph.block_starting_at(f), 0u);
  EXPECT_EQ(graph.block_starting_at(behind(f, 2)), std::nullopt);
  EXPECT_EQ(graph.block_starting_at(at("end")), 2u);
  EXPECT_EQ(graph.last_address_of(0), at("branch"));
  EXPECT_EQ(graph.block_ending_from(f), 0u);
  EXPECT_EQ(graph.block_ending_from(at("branch")), 0u);
  EXPECT_EQ(graph.block_ending_from(behind(at("branch"), 1)), 1u);
  EXPECT_EQ(graph.block_ending_from(behind(at("end"), 1)), 3u);
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
}  // namespace pgo::infer::control_flow_graph_test
