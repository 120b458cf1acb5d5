#include "pgo/symbolize/instruction_decoder.h"

#include <elf.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrDesc.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace pgo {
namespace {

// Everything that LLVM needs to decode one instruction after another. For one thread.
class Disassembler {
 public:
  static std::unique_ptr<Disassembler> create(const llvm::Triple& triple) {
    auto self = std::make_unique<Disassembler>();
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
    self->context_ = std::make_unique<llvm::MCContext>(
        triple, self->asm_info_.get(), self->registers_.get(), self->subtarget_.get());
    self->disassembler_.reset(target->createMCDisassembler(*self->subtarget_, *self->context_));
    if (!self->disassembler_) return nullptr;
    return self;
  }

  // What starts at the first of `bytes`; `size` becomes the bytes to step over (at least 1).
  CodeByte decode(Bytes bytes, uint64_t addr, uint64_t& size) {
    llvm::MCInst instruction;
    bool decoded = disassembler_->getInstruction(
                       instruction, size, llvm::ArrayRef<uint8_t>(bytes.data(), bytes.size()), addr,
                       llvm::nulls()) != llvm::MCDisassembler::Fail;
    if (size == 0) size = 1;
    if (!decoded || size > 15) return CodeByte(CodeByte::kNotCode);
    const llvm::MCInstrDesc& description = instructions_->get(instruction.getOpcode());
    CodeByte::Class kind = description.isCall()                  ? CodeByte::kCall
                           : description.isReturn()              ? CodeByte::kReturn
                           : description.isUnconditionalBranch() ? CodeByte::kDirectJump
                                                                 : CodeByte::kOther;
    return CodeByte::instruction(static_cast<unsigned>(size), kind);
  }

 private:
  std::unique_ptr<const llvm::MCRegisterInfo> registers_;
  std::unique_ptr<const llvm::MCAsmInfo> asm_info_;
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<const llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<const llvm::MCDisassembler> disassembler_;
};

// A stretch of code that is decoded in one go: from one symbol to the next.
struct Chunk {
  uint64_t begin = 0, end = 0;
  Bytes bytes;  // from `begin` to the end of the section
};

std::vector<Chunk> find_chunks(const ElfImage& image, const ElfImage& symbols) {
  std::vector<std::vector<uint64_t>> starts(symbols.sections().size());
  for (const ElfImage::Symbol& symbol : symbols.symbols())
    starts[symbol.section].push_back(symbol.addr.value);
  std::vector<Chunk> chunks;
  for (size_t i = 0; i < starts.size(); i++) {
    if (starts[i].empty()) continue;
    const ElfImage::Section* same =
        &image == &symbols ? &image.sections()[i] : image.find_same_section(symbols.sections()[i]);
    if (same == nullptr) continue;
    const ElfImage::Section& section = *same;
    if (!section.executable || section.bytes.empty() || section.name == ".plt") continue;
    uint64_t begin = section.addr.value, end = begin + section.bytes.size();
    std::vector<uint64_t>& addrs = starts[i];
    std::erase_if(addrs, [&](uint64_t addr) { return addr < begin || addr >= end; });
    std::sort(addrs.begin(), addrs.end());
    addrs.erase(std::unique(addrs.begin(), addrs.end()), addrs.end());
    for (size_t j = 0; j < addrs.size(); j++)
      chunks.push_back({addrs[j], j + 1 < addrs.size() ? addrs[j + 1] : end,
                        section.bytes.subspan(static_cast<size_t>(addrs[j] - begin))});
  }
  std::stable_sort(chunks.begin(), chunks.end(),
                   [](const Chunk& a, const Chunk& b) { return a.begin < b.begin; });
  // Sections of a damaged file may overlap; what an address is must not depend on the chunk that
  // was asked for first.
  for (size_t i = 0; i + 1 < chunks.size(); i++)
    chunks[i].end = std::min(chunks[i].end, chunks[i + 1].begin);
  return chunks;
}

class InstructionDecoder {
 public:
  InstructionDecoder(std::vector<Chunk> chunks, llvm::Triple triple)
      : chunks_(std::move(chunks)), triple_(std::move(triple)) {}

  void decode(CodeMap& map, ElfAddr addr) {
    auto after = std::upper_bound(chunks_.begin(), chunks_.end(), addr.value,
                                  [](uint64_t a, const Chunk& chunk) { return a < chunk.begin; });
    if (after == chunks_.begin() || std::prev(after)->end <= addr.value) return;
    const Chunk& chunk = *std::prev(after);
    std::unique_ptr<Disassembler> disassembler = take();
    for (uint64_t at = chunk.begin; at < chunk.end;) {
      uint64_t size = 0;
      Bytes bytes = chunk.bytes.subspan(static_cast<size_t>(at - chunk.begin));
      map.set(ElfAddr{at}, disassembler->decode(bytes, at, size));
      uint64_t next = std::min(at + size, chunk.end);
      while (++at < next) map.set(ElfAddr{at}, CodeByte(CodeByte::kNotCode));
    }
    give_back(std::move(disassembler));
  }

 private:
  // Each thread works with a disassembler of its own; there are never more than threads.
  std::unique_ptr<Disassembler> take() {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Disassembler> disassembler = std::move(free_.back());
        free_.pop_back();
        return disassembler;
      }
    }
    return Disassembler::create(triple_);
  }
  void give_back(std::unique_ptr<Disassembler> disassembler) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(disassembler));
  }

  std::vector<Chunk> chunks_;
  llvm::Triple triple_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Disassembler>> free_;
};

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

Result<std::unique_ptr<CodeMap>> make_code_map(const ElfImage& image, const ElfImage& symbols) {
  register_targets();
  llvm::Triple triple(image.machine() == EM_X86_64    ? "x86_64-unknown-linux-gnu"
                      : image.machine() == EM_AARCH64 ? "aarch64-unknown-linux-gnu"
                                                      : "");
  if (Disassembler::create(triple) == nullptr)
    return fail(ErrorKind::kUnsupported, image.path() + ": is for machine " +
                                             std::to_string(image.machine()) +
                                             "; code of x86-64 and AArch64 is read");
  uint64_t begin = ~uint64_t{0}, end = 0;
  for (const ElfImage::Segment& segment : image.segments()) {
    if (!segment.executable) continue;
    uint64_t size = segment.file_size;  // what is zeroed behind it is no code
    begin = std::min(begin, segment.addr.value);
    end = std::max(end, segment.addr.value + size);
    if (segment.addr.value + size < size) end = ~uint64_t{0};
  }
  if (begin >= end)
    return fail(ErrorKind::kInput, image.path() + ": has no code: no executable segment");
  if (end - begin >= ~uint32_t{0})
    return fail(ErrorKind::kUnsupported, image.path() + ": its code spans more than 4 GiB");
  auto decoder = std::make_shared<InstructionDecoder>(find_chunks(image, symbols), triple);
  return std::make_unique<CodeMap>(
      ElfAddr{begin}, ElfAddr{end},
      [decoder](CodeMap& map, ElfAddr addr) { decoder->decode(map, addr); });
}

}  // namespace pgo
