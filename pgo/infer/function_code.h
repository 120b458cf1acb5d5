// FunctionCode: the instructions of one function, decoded front to back, with LLVM's view of each
// for those who look at operands (jump tables). Bytes that are no instruction are stepped over.
#pragma once

#include <llvm/MC/MCInst.h>

#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/code/disassembler.h"
#include "pgo/infer/instruction.h"
#include "pgo/infer/opcode_table.h"

namespace pgo::infer {

struct FunctionCode {
  std::vector<Instruction> instructions;  // in the order of addresses
  std::vector<llvm::MCInst> operands;     // of each of them

  // The index of the instruction that starts at `addr`. O(log n).
  std::optional<uint32_t> find_start(ElfAddr addr) const;
};

// Decodes functions one after another. For one thread; x86-64 only.
class FunctionDecoder {
 public:
  // Both must outlive this.
  FunctionDecoder(const Disassembler& disassembler, const OpcodeTable& opcodes)
      : disassembler_(disassembler), opcodes_(opcodes) {}

  // `bytes` are all of a function's, from `begin` on. O(bytes).
  FunctionCode decode(Bytes bytes, ElfAddr begin) const;

 private:
  Cost cost_of(const llvm::MCInst& instruction) const;

  const Disassembler& disassembler_;
  const OpcodeTable& opcodes_;
};

}  // namespace pgo::infer
