// A program of functions that call one another, as a file, and its mapping in a process.
//
//   1200  main:    nop…; 1210 call f; nop…; ret
//   1300  f:       nop…; 1310 call f; nop…; ret
//   1400  f.cold:  nop…; ret
//   1500  g:       nop…; ret
#pragma once

#include <fstream>
#include <string>

#include "pgo/base/temporary_directory.h"
#include "tests/data/elf_builder.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test {

class CalledProgram {
 public:
  static constexpr uint64_t kMain = 0x1200, kF = 0x1300, kCold = 0x1400, kG = 0x1500;
  static constexpr uint64_t kCallInMain = 0x1210, kCallInF = 0x1310;

  CalledProgram() {
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    std::string code;
    for (int function = 0; function < 4; function++) code += std::string(255, '\x90') + '\xc3';
    auto put_call = [&](uint64_t from, uint64_t to) {
      const uint32_t distance = static_cast<uint32_t>(to - (from + 5));
      code[from - kMain] = '\xe8';
      for (unsigned i = 0; i < 4; i++)
        code[from - kMain + 1 + i] = static_cast<char>(distance >> 8 * i);
    };
    put_call(kCallInMain, kF);
    put_call(kCallInF, kF);
    const uint16_t text = elf.next_section();
    offset_ = elf.add_code(kMain, code);
    elf.add_symbol("main", STT_FUNC, text, kMain, 256);
    elf.add_symbol("f", STT_FUNC, text, kF, 256);
    elf.add_symbol("f.cold", STT_FUNC, text, kCold, 256);
    elf.add_symbol("g", STT_FUNC, text, kG, 256);
    std::ofstream(path(), std::ios::binary) << as_text(elf.finish());
  }

  std::string path() const { return directory_.file("program"); }
  // Its code in process `pid`, which has it at kBegin: code at address A of the file is at at(A).
  Mmap2 map(uint32_t pid) const {
    return {.pid = pid,
            .time = 1,
            .addr = kBegin,
            .len = 0x1000,
            .pgoff = offset_,
            .path = "/srv/program"};
  }
  static constexpr uint64_t at(uint64_t address) { return kBegin + address - kMain; }

 private:
  static constexpr uint64_t kBegin = 0x400000;

  TemporaryDirectory directory_ = TemporaryDirectory::make().value();
  uint64_t offset_ = 0;
};

}  // namespace pgo::test
