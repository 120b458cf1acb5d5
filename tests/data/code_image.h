// An ELF file of functions and their data, in memory, for tests of what reads code.
#pragma once

#include <elf.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pgo/elf/elf_image.h"
#include "tests/data/elf_builder.h"

namespace pgo::test {

struct CodeImage {
  struct Function {
    std::string name;
    uint64_t begin = 0, end = 0;
  };

  struct Section {
    std::string name;
    uint32_t type = SHT_PROGBITS;
    uint64_t flags = SHF_ALLOC;
    uint64_t addr = 0;
    std::string contents;
  };

  // `code` at `addr` in .text, with the symbols of `functions`; `data` at `data_addr` in .rodata.
  CodeImage(const std::string& code, uint64_t addr, const std::vector<Function>& functions,
            const std::string& data = {}, uint64_t data_addr = 0x100000,
            const std::vector<Section>& sections = {}) {
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    uint16_t text = elf.next_section();
    uint64_t offset = elf.add_code(addr, code);
    if (!data.empty()) {
      offset = elf.add_section(".rodata", SHT_PROGBITS, SHF_ALLOC, data_addr, data);
      elf.add_segment(PT_LOAD, PF_R, offset, data.size(), data_addr);
    }
    for (const Section& s : sections) elf.add_section(s.name, s.type, s.flags, s.addr, s.contents);
    for (const Function& f : functions)
      elf.add_symbol(f.name, STT_FUNC, text, f.begin, f.end - f.begin);
    file = elf.finish();
    image = std::make_unique<ElfImage>(ElfImage::parse(file, "program").value());
  }

  std::vector<uint8_t> file;
  std::unique_ptr<ElfImage> image;
};

}  // namespace pgo::test
