// ElfBuilder: writes small ELF files in memory, field by field, so that a test shows what is in
// them. Nothing is checked: wrong files are what many tests are about.
//
//   ElfBuilder elf;
//   uint64_t offset = elf.add_section(".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x2000, "..");
//   elf.add_segment(PT_LOAD, PF_R | PF_W, offset, 2, 0x2000);
//   elf.add_code(0x1000, "\x90\xc3");
//   std::vector<uint8_t> file = elf.finish();
//
// The file is: ELF header, room for kMaxSegments program headers, contents in the order they were
// added (each aligned to 8), section headers. So a file cut short always loses section headers.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/bytes.h"

namespace pgo {

class ElfBuilder {
 public:
  static constexpr size_t kMaxSegments = 8;

  ElfBuilder();

  Elf64_Ehdr header{};  // written as it is; the counts and places of headers are filled in

  // Adds bytes that no section covers; returns their offset in the file.
  uint64_t add_bytes(std::string_view bytes);
  // Returns the offset of the contents in the file.
  uint64_t add_section(const std::string& name, uint32_t type, uint64_t flags, uint64_t addr,
                       std::string_view contents);
  // The index that the next added section will have.
  uint16_t next_section() const { return static_cast<uint16_t>(sections_.size()); }
  void add_segment(uint32_t type, uint32_t flags, uint64_t offset, uint64_t file_size,
                   uint64_t addr);
  void add_symbol(const std::string& name, unsigned char type, uint16_t section, uint64_t addr,
                  uint64_t size);

  // A section .text and the segment that it is loaded by. Returns the offset of the code in the
  // file.
  uint64_t add_code(uint64_t addr, std::string_view code);
  // A section with the note of a build ID: of so many bytes, or of the ID. No segment has it.
  void add_build_id(std::string_view bytes);
  void add_build_id(const BuildId& id) { add_build_id(as_text(id.bytes())); }

  // The symbols become those of .dynsym instead of .symtab.
  void strip() { is_stripped_ = true; }

  // The whole file: what was added, then .symtab and .strtab when there are symbols, .shstrtab.
  std::vector<uint8_t> finish();

  // One note entry, as a note section or segment holds them; `name` without its NUL.
  static std::string note(std::string_view name, uint32_t type, std::string_view descriptor);

 private:
  std::vector<uint8_t> file_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
  std::string section_names_, symbol_names_, symbols_;
  bool is_stripped_ = false;
};

}  // namespace pgo
