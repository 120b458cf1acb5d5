// Disassembler: everything that LLVM needs to decode one instruction after another of a machine, in
// one place. For one thread.
#pragma once

#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>

#include <cstdint>
#include <memory>

#include "pgo/base/bytes.h"

// Declared only: their headers take more than a second in each unit that includes this file.
namespace llvm {
class MCAsmInfo;
class MCContext;
class MCDisassembler;
class MCInstrAnalysis;
class MCRegisterInfo;
class MCSubtargetInfo;
}  // namespace llvm

namespace pgo {

class Disassembler {
 public:
  // For an ELF machine (EM_X86_64, EM_AARCH64). Null for one that is not read here, or that this
  // LLVM was built without.
  static std::unique_ptr<Disassembler> create(uint16_t machine);
  ~Disassembler();

  // The instruction at the first of `bytes`, or false; `size` becomes the bytes to step over (at
  // least 1) in either case.
  bool decode(Bytes bytes, uint64_t addr, llvm::MCInst& instruction, uint64_t& size) const;

  const llvm::MCInstrDesc& description(const llvm::MCInst& instruction) const {
    return instructions_->get(instruction.getOpcode());
  }
  const llvm::MCInstrAnalysis& analysis() const { return *analysis_; }
  const llvm::MCInstrInfo& instructions() const { return *instructions_; }
  const llvm::MCRegisterInfo& registers() const { return *registers_; }
  const llvm::MCSubtargetInfo& subtarget() const { return *subtarget_; }

 private:
  Disassembler();

  std::unique_ptr<const llvm::MCRegisterInfo> registers_;
  std::unique_ptr<const llvm::MCAsmInfo> asm_info_;
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<const llvm::MCInstrInfo> instructions_;
  std::unique_ptr<const llvm::MCInstrAnalysis> analysis_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<const llvm::MCDisassembler> disassembler_;
};

}  // namespace pgo
