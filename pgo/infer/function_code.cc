#include "pgo/infer/function_code.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/MC/MCSchedule.h>

#include <algorithm>

namespace pgo::infer {
namespace {

constexpr int kSlowCycles = 3;

// Is `name` one of `mnemonics` and then an operand size, as in CMP64rr?
bool is_one_of(llvm::StringRef name, std::initializer_list<llvm::StringRef> mnemonics) {
  return std::any_of(mnemonics.begin(), mnemonics.end(), [&](llvm::StringRef mnemonic) {
    return name.starts_with(mnemonic) && name.size() > mnemonic.size() &&
           llvm::isDigit(name[mnemonic.size()]);
  });
}

// LLVM's names of opcodes are the only public way to tell them apart.
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

Control control_of(const llvm::MCInstrDesc& description) {
  bool indirect = description.isIndirectBranch();
  if (description.isCall()) return Control::kCall;
  if (description.isReturn()) return Control::kReturn;
  if (indirect) return Control::kIndirectJump;
  if (description.isUnconditionalBranch()) return Control::kJump;
  if (description.isConditionalBranch()) return Control::kConditionalJump;
  return description.isTrap() ? Control::kTrap : Control::kNext;
}

}  // namespace

std::optional<uint32_t> FunctionCode::find_holding(ElfAddr addr) const {
  auto after = std::upper_bound(instructions.begin(), instructions.end(), addr,
                                [](ElfAddr a, const Instruction& i) { return a < i.addr; });
  if (after == instructions.begin() || std::prev(after)->end() <= addr) return std::nullopt;
  return static_cast<uint32_t>(std::prev(after) - instructions.begin());
}

std::optional<uint32_t> FunctionCode::find_start(ElfAddr addr) const {
  std::optional<uint32_t> found = find_holding(addr);
  if (!found || instructions[*found].addr != addr) return std::nullopt;
  return found;
}

FunctionDecoder::FunctionDecoder(const Disassembler& disassembler) : disassembler_(disassembler) {
  const llvm::MCInstrInfo& opcodes = disassembler.instructions();
  cost_by_opcode_.resize(opcodes.getNumOpcodes());
  is_padding_.resize(opcodes.getNumOpcodes());
  for (unsigned i = 0; i < opcodes.getNumOpcodes(); i++) {
    llvm::StringRef name = opcodes.getName(i);
    cost_by_opcode_[i] = cost_by_name(name);
    is_padding_[i] = name.starts_with("NOOP") || name == "INT3";
  }
}

Cost FunctionDecoder::cost_of(const llvm::MCInst& instruction) const {
  Cost cost = cost_by_opcode_[instruction.getOpcode()];
  const llvm::MCInstrDesc& description = disassembler_.description(instruction);
  cost.load = description.mayLoad();
  cost.store = description.mayStore();
  const llvm::MCSubtargetInfo& subtarget = disassembler_.subtarget();
  const llvm::MCSchedModel& model = subtarget.getSchedModel();
  if (model.hasInstrSchedModel() && !description.isCall())
    cost.slow = model.computeInstrLatency(subtarget, disassembler_.instructions(), instruction) >=
                kSlowCycles;
  return cost;
}

FunctionCode FunctionDecoder::decode(Bytes bytes, ElfAddr begin) const {
  FunctionCode code;
  for (uint64_t at = 0, size = 0; at < bytes.size(); at += size) {
    llvm::MCInst operands;
    uint64_t addr = begin.value + at;
    if (!disassembler_.decode(bytes.subspan(static_cast<size_t>(at)), addr, operands, size) ||
        size > bytes.size() - at)
      continue;
    Instruction instruction;
    instruction.addr = ElfAddr{addr};
    instruction.size = static_cast<uint8_t>(size);
    instruction.control = control_of(disassembler_.description(operands));
    instruction.cost = cost_of(operands);
    instruction.padding = is_padding_[operands.getOpcode()];
    uint64_t target = 0;
    bool direct = disassembler_.analysis().evaluateBranch(operands, addr, size, target);
    if (direct) instruction.target = ElfAddr{target};
    if (instruction.control == Control::kCall && !direct) {
      instruction.control = Control::kIndirectCall;
      if (auto slot = disassembler_.analysis().evaluateMemoryOperandAddress(
              operands, &disassembler_.subtarget(), addr, size))
        instruction.slot = ElfAddr{*slot};
    }
    code.instructions.push_back(instruction);
    code.operands.push_back(std::move(operands));
  }
  return code;
}

}  // namespace pgo::infer
