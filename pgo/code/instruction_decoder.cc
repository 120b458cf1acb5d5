#include "pgo/code/instruction_decoder.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "pgo/code/disassembler.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

// What `disassembler` finds at the first of `bytes`; `size` becomes the bytes to step over.
CodeByte classify(const Disassembler& disassembler, Bytes bytes, uint64_t addr, uint64_t& size) {
  llvm::MCInst instruction;
  if (!disassembler.decode(bytes, addr, instruction, size) || size > 15)
    return CodeByte(CodeByte::kNotCode);
  const llvm::MCInstrDesc& description = disassembler.description(instruction);
  CodeByte::Class kind = description.isCall()                  ? CodeByte::kCall
                         : description.isReturn()              ? CodeByte::kReturn
                         : description.isUnconditionalBranch() ? CodeByte::kDirectJump
                                                               : CodeByte::kOther;
  return CodeByte::instruction(static_cast<unsigned>(size), kind);
}

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
  InstructionDecoder(std::vector<Chunk> chunks, uint16_t machine)
      : chunks_(std::move(chunks)), machine_(machine) {}

  void decode(CodeMap& map, ElfAddr addr) {
    auto after = std::upper_bound(chunks_.begin(), chunks_.end(), addr.value,
                                  [](uint64_t a, const Chunk& chunk) { return a < chunk.begin; });
    if (after == chunks_.begin() || std::prev(after)->end <= addr.value) return;
    const Chunk& chunk = *std::prev(after);
    std::unique_ptr<Disassembler> disassembler = take();
    for (uint64_t at = chunk.begin; at < chunk.end;) {
      uint64_t size = 0;
      Bytes bytes = chunk.bytes.subspan(static_cast<size_t>(at - chunk.begin));
      map.set(ElfAddr{at}, classify(*disassembler, bytes, at, size));
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
    return Disassembler::create(machine_);
  }
  void give_back(std::unique_ptr<Disassembler> disassembler) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(disassembler));
  }

  std::vector<Chunk> chunks_;
  uint16_t machine_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Disassembler>> free_;
};

}  // namespace

Result<std::unique_ptr<CodeMap>> make_code_map(const ElfImage& image, const ElfImage& symbols) {
  if (Disassembler::create(image.machine()) == nullptr)
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
  if (begin >= end && image.is_debug_file())
    return fail(ErrorKind::kInput,
                image.path() +
                    ": is a debug file (objcopy --only-keep-debug), without code; name the binary "
                    "that ran with \xFF{binary}, and this one with \xFF{debug-file}");
  if (begin >= end)
    return fail(ErrorKind::kInput, image.path() + ": has no code: no executable segment");
  if (end - begin >= ~uint32_t{0})
    return fail(ErrorKind::kUnsupported, image.path() + ": its code spans more than 4 GiB");
  // A page of the map is touched for each address that is asked for, code or not.
  constexpr uint64_t kAlways = uint64_t{256} << 20, kSpanPerByte = 16;
  if (end - begin >
      saturating_add(kAlways, saturating_multiply(kSpanPerByte, image.bytes().size())))
    return fail(ErrorKind::kInput, image.path() + ": its code spans " +
                                       std::to_string(end - begin) + " bytes, in a file of " +
                                       std::to_string(image.bytes().size()) + ": is it damaged?");
  auto decoder = std::make_shared<InstructionDecoder>(find_chunks(image, symbols), image.machine());
  return std::make_unique<CodeMap>(
      ElfAddr{begin}, ElfAddr{end},
      [decoder](CodeMap& map, ElfAddr addr) { decoder->decode(map, addr); });
}

}  // namespace pgo
