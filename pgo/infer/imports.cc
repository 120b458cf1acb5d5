#include "pgo/infer/imports.h"

#include <elf.h>

namespace pgo::infer {
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
      if (std::string_view function = name_at_slot(ElfAddr{slot}); !function.empty())
        by_entry_.emplace(ElfAddr{entry}, function);
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

}  // namespace pgo::infer
