#include "pgo/infer/function_code.h"

#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCSchedule.h>
#include <llvm/MC/MCSubtargetInfo.h>

#include <algorithm>

namespace pgo::infer {
namespace {

constexpr int kSlowCycles = 3;

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

std::optional<uint32_t> FunctionCode::find_start(ElfAddr addr) const {
  auto found = std::lower_bound(instructions.begin(), instructions.end(), addr,
                                [](const Instruction& i, ElfAddr a) { return i.addr < a; });
  if (found == instructions.end() || found->addr != addr) return std::nullopt;
  return static_cast<uint32_t>(found - instructions.begin());
}

Cost FunctionDecoder::cost_of(const llvm::MCInst& instruction) const {
  Cost cost = opcodes_.of(instruction).cost;
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
    instruction.padding = opcodes_.of(operands).padding;
    uint64_t target = 0;
    bool direct = disassembler_.analysis().evaluateBranch(operands, addr, size, target);
    if (direct) instruction.target = ElfAddr{target};
    if (instruction.control == Control::kCall && !direct)
      instruction.control = Control::kIndirectCall;
    if (instruction.control == Control::kIndirectCall ||
        instruction.control == Control::kIndirectJump) {
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
