#include "pgo/code/disassembler.h"

#include <elf.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <string>

namespace pgo {
namespace {

void register_targets() {
  static const bool registered = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllDisassemblers();
    return true;
  }();
  (void)registered;
}

}  // namespace

Disassembler::Disassembler() = default;
Disassembler::~Disassembler() = default;

std::unique_ptr<Disassembler> Disassembler::create(uint16_t machine) {
  register_targets();
  llvm::Triple triple(machine == EM_X86_64    ? "x86_64-unknown-linux-gnu"
                      : machine == EM_AARCH64 ? "aarch64-unknown-linux-gnu"
                                              : "");
  std::unique_ptr<Disassembler> self(new Disassembler);
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return nullptr;
  self->registers_.reset(target->createMCRegInfo(triple));
  if (!self->registers_) return nullptr;
  self->asm_info_.reset(
      target->createMCAsmInfo(*self->registers_, triple, llvm::MCTargetOptions()));
  self->subtarget_.reset(target->createMCSubtargetInfo(triple, "", ""));
  self->instructions_.reset(target->createMCInstrInfo());
  if (!self->asm_info_ || !self->subtarget_ || !self->instructions_) return nullptr;
  self->analysis_.reset(target->createMCInstrAnalysis(self->instructions_.get()));
  self->context_ = std::make_unique<llvm::MCContext>(
      triple, self->asm_info_.get(), self->registers_.get(), self->subtarget_.get());
  self->disassembler_.reset(target->createMCDisassembler(*self->subtarget_, *self->context_));
  if (!self->analysis_ || !self->disassembler_) return nullptr;
  return self;
}

bool Disassembler::decode(Bytes bytes, uint64_t addr, llvm::MCInst& instruction,
                          uint64_t& size) const {
  bool decoded = disassembler_->getInstruction(instruction, size,
                                               llvm::ArrayRef<uint8_t>(bytes.data(), bytes.size()),
                                               addr, llvm::nulls()) != llvm::MCDisassembler::Fail;
  if (size == 0) size = 1;
  return decoded;
}

}  // namespace pgo
