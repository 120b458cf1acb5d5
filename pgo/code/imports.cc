#include "pgo/code/imports.h"

#include <elf.h>
#include <llvm/MC/MCInstrAnalysis.h>

#include <algorithm>
#include <array>

#include "pgo/code/disassembler.h"

namespace pgo {
namespace {

// The name of dynamic symbol `number`; empty when there is none.
std::string_view dynamic_name(const ElfImage& image, uint64_t number) {
  const ElfImage::Section* symbols = image.find_section(".dynsym");
  const ElfImage::Section* names = image.find_section(".dynstr");
  if (symbols == nullptr || names == nullptr) return {};
  if (number >= symbols->bytes.size() / sizeof(Elf64_Sym)) return {};
  auto name = load_le<uint32_t>(symbols->bytes.data() + number * sizeof(Elf64_Sym));
  if (name >= names->bytes.size()) return {};
  return until_nul(names->bytes.subspan(name));
}

// Where callers enter the linkage table's jump at `offset` of `table`: with -fcf-protection an
// endbr64 comes before it, and older linkers put a bnd prefix.
uint64_t find_entry_of_jump(Bytes table, uint64_t offset) {
  constexpr std::array<uint8_t, 4> kEndbr64 = {0xf3, 0x0f, 0x1e, 0xfa};
  constexpr uint8_t kBnd = 0xf2;
  if (offset >= 1 && table[offset - 1] == kBnd) offset--;
  if (offset >= kEndbr64.size() &&
      std::ranges::equal(table.subspan(offset - kEndbr64.size(), kEndbr64.size()), kEndbr64))
    offset -= kEndbr64.size();
  return offset;
}

}  // namespace

Imports::Imports(const ElfImage& image, const Disassembler& disassembler) {
  read_slots(image, ".rela.plt");
  read_slots(image, ".rela.dyn");
  for (const char* name : {".plt", ".plt.got", ".plt.sec"}) {
    const ElfImage::Section* section = image.find_section(name);
    if (section == nullptr) continue;
    llvm::ArrayRef<uint8_t> bytes(section->bytes.data(), section->bytes.size());
    for (const auto& [entry, slot] : disassembler.analysis().findPltEntries(
             section->addr.value, bytes, disassembler.subtarget()))
      if (std::string_view function = name_at_slot(ElfAddr{slot}); !function.empty()) {
        uint64_t offset = find_entry_of_jump(section->bytes, entry - section->addr.value);
        by_entry_.emplace(ElfAddr{section->addr.value + offset}, function);
      }
  }
}

void Imports::read_slots(const ElfImage& image, std::string_view name) {
  const ElfImage::Section* section = image.find_section(name);
  if (section == nullptr) return;
  ByteCursor cursor(section->bytes);
  while (cursor.remaining() >= sizeof(Elf64_Rela)) {
    uint64_t at = cursor.u64(), info = cursor.u64();
    cursor.skip(sizeof(Elf64_Rela::r_addend));
    uint64_t type = ELF64_R_TYPE(info);
    if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT)
      by_slot_.emplace(ElfAddr{at}, dynamic_name(image, ELF64_R_SYM(info)));
  }
}

}  // namespace pgo
