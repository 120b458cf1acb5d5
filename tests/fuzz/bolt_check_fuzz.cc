// Any bytes as what the loader reads of a file (dynamic table, symbols, versions, names, the place
// of a segment), compared with the same file and with one that has another byte: faults, and none
// of the comparison between equal files.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "bolt/bolt_check.h"
#include "tests/data/elf_builder.h"

using namespace pgo;

namespace {

// The first bytes say how long each part is and where the last segment lies.
struct Choice {
  uint8_t dynamic, symbols, versions, names;
  uint16_t changed;  // place of the other byte
  uint32_t flags;
  uint64_t offset, size, addr;
};

std::string_view take(std::string_view& text, size_t size) {
  std::string_view part = text.substr(0, size);
  text.remove_prefix(part.size());
  return part;
}

std::vector<uint8_t> build(const Choice& choice, std::string_view text) {
  ElfBuilder elf;
  elf.header.e_type = ET_DYN;
  elf.header.e_machine = EM_X86_64;
  elf.header.e_entry = choice.addr;
  auto load = [&](const char* name, uint32_t type, uint64_t addr, std::string_view contents) {
    uint64_t at = elf.add_section(name, type, SHF_ALLOC, addr, contents);
    elf.add_segment(PT_LOAD, PF_R, at, contents.size(), addr);
    return at;
  };
  std::string_view dynamic = take(text, choice.dynamic);
  uint64_t at = load(".dynamic", SHT_DYNAMIC, 0x1000, dynamic);
  elf.add_segment(PT_DYNAMIC, PF_R, at, dynamic.size(), 0x1000);
  load(".dynsym", SHT_DYNSYM, 0x2000, take(text, choice.symbols));
  elf.add_section(".gnu.version", SHT_GNU_versym, SHF_ALLOC, 0x3000, take(text, choice.versions));
  std::string_view names = take(text, choice.names);
  at = load(".dynstr", SHT_STRTAB, 0x4000, names);
  elf.add_segment(PT_INTERP, PF_R, at, names.size(), 0x4000);
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x5000, text);
  elf.add_segment(PT_LOAD, choice.flags, choice.offset, choice.size, choice.addr);
  return elf.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Choice choice;
  if (size < sizeof choice) return 0;
  std::memcpy(&choice, data, sizeof choice);
  std::vector<uint8_t> file =
      build(choice, {reinterpret_cast<const char*>(data) + sizeof choice, size - sizeof choice});
  Result<ElfImage> image = ElfImage::parse(file, "fuzz");
  if (!image) return 0;
  for (const std::string& fault : check_equivalence(*image, *image))
    for (std::string_view compared : {"is of another", "is for another", "has the build ID",
                                      "asks for", "needs", "has another", "has lost", "has gained"})
      if (fault.starts_with(compared)) std::abort();

  std::vector<uint8_t> other = file;
  other[choice.changed % other.size()] ^= 1;
  Result<ElfImage> result = ElfImage::parse(other, "fuzz");
  if (result) (void)check_equivalence(*image, *result);
  return 0;
}
