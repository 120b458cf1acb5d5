// ControlFlowGraph: the basic blocks of one function and how control passes between them, from its
// machine code alone. Calls do not end blocks, unless they never return.
//
// What ran must balance on it: as often as control enters a block it leaves it. Exact counts of
// real programs do, which is how this is tested.
#pragma once

#include <vector>

#include "pgo/code/function_symbols.h"
#include "pgo/infer/function_code.h"
#include "pgo/infer/jump_table.h"
#include "pgo/infer/no_return.h"

namespace pgo::infer {

struct Block {
  uint32_t first = 0, count = 0;  // instructions of the function
  // Every path from here ends in a call that never returns, such as abort(), or in a trap. No loop
  // is a dead end: it may be the main loop of a server, which ends only when something fails.
  bool dead_end = false;
};

struct Edge {
  enum Kind : uint8_t { kTaken, kFallThrough, kSwitch, kExit };

  uint32_t source = 0;
  uint32_t target = 0;  // a block; of kExit nothing
  Kind kind = kTaken;
  bool to_dead_end = false;  // from a block that is none
};

// A place from which another function, or this one, is entered.
struct CallSite {
  uint32_t instruction = 0;
  uint32_t block = 0;
  // The way out of the block that is the call, when the block has others; else every run of the
  // block calls.
  std::optional<uint32_t> edge;
  OptElfAddr callee;  // nothing for an indirect call
};

struct ControlFlowGraph {
  FunctionSymbol function;
  std::vector<Instruction> instructions;
  std::vector<Block> blocks;        // by address; the first is the entry
  std::vector<Edge> edges;          // by source, kSwitch by target
  std::vector<CallSite> calls;      // by instruction
  std::vector<uint32_t> sources;    // blocks: the entry, and a root of each part it does not reach
  std::vector<uint32_t> dead_ends;  // blocks, each behind those that it leads to
  uint32_t guessed_jumps = 0;  // indirect jumps that may go wherever a table of the function says

  uint32_t block_of(uint32_t instruction) const;
  // The first edge of `block`, or where it would be. O(log edges).
  size_t first_edge_of(uint32_t block) const;
  // The index in `calls` of what `instruction` calls. O(log calls).
  std::optional<uint32_t> call_by(uint32_t instruction) const;

  // Each of these is O(log instructions).
  // The instruction that has the byte at `addr`, and the one that starts there.
  std::optional<uint32_t> instruction_at(ElfAddr addr) const;
  std::optional<uint32_t> instruction_starting_at(ElfAddr addr) const;
  std::optional<uint32_t> block_starting_at(ElfAddr addr) const;
  // The first block whose last instruction is at `addr` or behind it; blocks.size() if none is.
  uint32_t block_ending_from(ElfAddr addr) const;
  ElfAddr last_address_of(uint32_t block) const;  // where its last instruction starts
};

// Of `graphs`, which are sorted by address, the one of the function that has the byte at `addr`;
// null if none has. O(log graphs).
const ControlFlowGraph* find_graph(const std::vector<ControlFlowGraph>& graphs, ElfAddr addr);

// By instruction: what ends the path through it.
struct Endings {
  std::vector<bool> barriers;  // control does not go on to the next instruction
  std::vector<bool> failures;  // what control leaves the function by never returns, but fails
};

class GraphBuilder {
 public:
  GraphBuilder(const FunctionDecoder& decoder, const JumpTableReader& tables,
               const NoReturn& no_return)
      : decoder_(decoder), tables_(tables), no_return_(no_return) {}

  // Nothing for a function without an instruction. O(n log n) for n instructions, and what
  // JumpTableReader takes.
  std::optional<ControlFlowGraph> build(const FunctionSymbol& function) const;

 private:
  Endings find_endings(const FunctionCode& code) const;

  const FunctionDecoder& decoder_;
  const JumpTableReader& tables_;
  const NoReturn& no_return_;
};

}  // namespace pgo::infer
