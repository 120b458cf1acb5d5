// OpcodeTable: what is known of each of the machine's opcodes before an instruction is seen. LLVM's
// names of opcodes are the only public way to tell them apart, and there are twenty thousand, so
// this is worked out once. x86-64.
#pragma once

#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>

#include <vector>

#include "pgo/infer/instruction.h"

namespace pgo::infer {

// What an instruction does on the way to an indirect jump.
enum class JumpRole : uint8_t { kOther, kAdd, kJumpMemory, kLea, kLoad, kLoadSigned, kMove };

class OpcodeTable {
 public:
  struct Entry {
    Cost cost;  // without loads, stores and latency, which are LLVM's to tell
    JumpRole role = JumpRole::kOther;
    bool padding = false;
  };

  explicit OpcodeTable(const llvm::MCInstrInfo& instructions);

  const Entry& of(const llvm::MCInst& instruction) const {
    return entries_[instruction.getOpcode()];
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace pgo::infer
