// A stripped program of two functions: `open_door` is in its .dynsym; `hidden` is not.
//
//   1200  open_door:  nop…; ret     16 bytes
//   1210  hidden:     nop…; ret     16 bytes
#pragma once

#include <string>
#include <vector>

#include "tests/data/elf_builder.h"
#include "tests/data/xz_bytes.h"

namespace pgo::test {

inline const std::string kStrippedCode =
    std::string(15, '\x90') + '\xc3' + std::string(15, '\x90') + '\xc3';

// What .gnu_debugdata has before it is compressed: symbols of the same section, without its bytes.
inline std::vector<uint8_t> symbols_of_stripped_program() {
  ElfBuilder elf;
  const uint16_t other = elf.next_section();
  elf.add_section(".other", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x5000, "1234");
  const uint16_t text = elf.next_section();
  elf.add_section(".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1200, kStrippedCode);
  elf.add_symbol("elsewhere", STT_FUNC, other, 0x5000, 4);
  elf.add_symbol("hidden", STT_FUNC, text, 0x1210, 16);
  return elf.finish();
}

// `debug_data`: contents of .gnu_debugdata; empty: there is no such section.
inline std::vector<uint8_t> stripped_program(const std::string& debug_data = "") {
  ElfBuilder elf;
  elf.header.e_machine = EM_X86_64;
  const uint16_t text = elf.next_section();
  elf.add_code(0x1200, kStrippedCode);
  elf.add_symbol("open_door", STT_FUNC, text, 0x1200, 16);
  if (!debug_data.empty()) elf.add_section(".gnu_debugdata", SHT_PROGBITS, 0, 0, debug_data);
  elf.strip();
  return elf.finish();
}

}  // namespace pgo::test
