// The ELF files of small releases: a program, what llvm-bolt made of it, a debug file.
#pragma once

#include <string>
#include <vector>

#include "tests/data/elf_builder.h"

namespace pgo::test {

// Build IDs of what llvm-bolt made and of its input.
inline const std::string kReleasedId("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
inline const std::string kPreboltId("\x01\x02\x03\x04\x05\x06\x07\x09", 8);

struct ReleasedElf {
  std::string id = kReleasedId;  // empty: none
  std::string code = "\x90\xc3";
  bool debug_info = true;
  bool bolted = false, translation = true;
};

inline std::vector<uint8_t> elf_of(const ReleasedElf& elf) {
  ElfBuilder builder;
  builder.add_code(0x1000, elf.code);
  if (!elf.id.empty()) builder.add_build_id(elf.id);
  if (elf.debug_info) builder.add_section(".debug_info", SHT_PROGBITS, 0, 0, "info");
  if (elf.bolted) builder.add_section(".note.bolt_info", SHT_NOTE, 0, 0, "note");
  if (elf.bolted && elf.translation) builder.add_section(".note.bolt_bat", SHT_NOTE, 0, 0, "table");
  return builder.finish();
}

}  // namespace pgo::test
