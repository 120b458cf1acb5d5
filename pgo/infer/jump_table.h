// Where an indirect jump can go: the jump tables of a switch and of computed gotos (x86-64).
//
// Two shapes are known. A switch of position-independent code adds an entry of a table of 32-bit
// distances to the table's address; a computed goto, and a switch of other code, loads one of
// 64-bit addresses:
//
//     lea  table(%rip), %base                    lea  table(%rip), %base
//     movslq (%base,%index,4), %entry            jmp  *(%base,%index,8)
//     add  %base, %entry
//     jmp  *%entry                               jmp  *table(,%index,8)
//
// The parts may stand far apart. They are looked for backwards in the order of addresses, the last
// instruction that writes a register counts: not proven by data flow, but right wherever it was
// compared with what ran. How long a table is nobody says: entries are read while they are
// instructions of the function, up to the end of the table's symbol, or the next table.
#pragma once

#include <set>
#include <vector>

#include "pgo/code/image_data.h"
#include "pgo/infer/function_code.h"

namespace pgo::infer {

struct JumpTables {
  struct Jump {
    uint32_t instruction = 0;  // of the function
    // Instructions of the function, sorted, unique. None: there would be too many in all.
    std::vector<uint32_t> targets;
    bool guessed = false;  // all tables that the function mentions, or none
  };
  // The indirect jumps that stay in the function, in its order. One that is none of them leaves it:
  // an indirect tail call.
  std::vector<Jump> jumps;
};

class JumpTableReader {
 public:
  // All must outlive this.
  JumpTableReader(const Disassembler& disassembler, const OpcodeTable& opcodes,
                  const ImageData& data);

  // O(instructions + jumps x (instructions between a jump and what prepares it + entries)); both
  // products are bounded, and jumps beyond that are guessed.
  JumpTables read(const FunctionCode& code) const;

 private:
  struct Table {
    enum Entries : uint8_t { kDistances, kAddresses } entries;
    ElfAddr addr;
    auto operator<=>(const Table&) const = default;
  };
  // A memory operand of x86-64.
  struct Memory {
    llvm::MCRegister base, index;
    int64_t scale = 0, displacement = 0;
  };

  JumpRole role(const FunctionCode& code, uint32_t i) const {
    return opcodes_.of(code.operands[i]).role;
  }
  static std::optional<Memory> memory_of(const llvm::MCInst& instruction, unsigned first);
  // The code of one function, and how many instructions may still be looked at to find what
  // prepares its jumps.
  struct Search {
    const FunctionCode& code;
    uint64_t left = uint64_t{1} << 25;
  };
  std::optional<uint32_t> find_definition(Search& search, uint32_t before,
                                          llvm::MCRegister wanted) const;
  std::optional<ElfAddr> find_address(Search& search, uint32_t before,
                                      llvm::MCRegister wanted) const;
  std::optional<ElfAddr> address_of_lea(const FunctionCode& code, uint32_t i) const;
  std::optional<Table> find_table(Search& search, uint32_t jump) const;
  std::optional<Table> find_table_in_memory(Search& search, uint32_t before,
                                            const Memory& memory) const;
  std::vector<uint32_t> read_table(const FunctionCode& code, const Table& table,
                                   const std::set<ElfAddr>& addrs) const;

  const Disassembler& disassembler_;
  const OpcodeTable& opcodes_;
  const ImageData& data_;
  llvm::MCRegister rip_;
};

}  // namespace pgo::infer
