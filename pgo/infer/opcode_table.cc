#include "pgo/infer/opcode_table.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace pgo::infer {
namespace {

// Is `name` one of `mnemonics` and then an operand size, as in CMP64rr?
bool is_one_of(llvm::StringRef name, std::initializer_list<llvm::StringRef> mnemonics) {
  return std::any_of(mnemonics.begin(), mnemonics.end(), [&](llvm::StringRef mnemonic) {
    return name.starts_with(mnemonic) && name.size() > mnemonic.size() &&
           llvm::isDigit(name[mnemonic.size()]);
  });
}

Cost cost_by_name(llvm::StringRef name) {
  Cost cost;
  // A comparison of memory with a constant does not fuse.
  cost.after_compare_fuses =
      is_one_of(name, {"CMP", "TEST", "AND", "ADD", "SUB", "INC", "DEC"}) && !name.contains("mi");
  cost.division = is_one_of(name, {"DIV", "IDIV"});
  cost.move = name.starts_with("MOV") || name.starts_with("VMOV");
  cost.pop = is_one_of(name, {"POP"});
  cost.push = is_one_of(name, {"PUSH"});
  return cost;
}

JumpRole role_by_name(llvm::StringRef name) {
  return llvm::StringSwitch<JumpRole>(name)
      .Cases({"ADD64rr", "ADD64rr_REV"}, JumpRole::kAdd)
      .Cases({"JMP64m", "JMP64m_NT"}, JumpRole::kJumpMemory)
      .Case("LEA64r", JumpRole::kLea)
      .Case("MOV64rm", JumpRole::kLoad)
      .Case("MOVSX64rm32", JumpRole::kLoadSigned)
      .Cases({"MOV64rr", "MOV64rr_REV"}, JumpRole::kMove)
      .Default(JumpRole::kOther);
}

}  // namespace

OpcodeTable::OpcodeTable(const llvm::MCInstrInfo& instructions) {
  entries_.resize(instructions.getNumOpcodes());
  for (unsigned i = 0; i < entries_.size(); i++) {
    llvm::StringRef name = instructions.getName(i);
    entries_[i] = {cost_by_name(name), role_by_name(name),
                   name.starts_with("NOOP") || name == "INT3"};
  }
}

}  // namespace pgo::infer
