// Pairs of small files, one of them changed; tests/e2e/bolt/ compare what llvm-bolt writes.
#include "bolt/bolt_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "tests/data/elf_builder.h"

namespace pgo::bolt_check_test {
namespace {

using Faults = std::vector<std::string>;

template <typename T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string dynamic(int64_t tag, uint64_t value) {
  Elf64_Dyn entry{};
  entry.d_tag = tag;
  entry.d_un.d_val = value;
  return raw(entry);
}

std::string symbol(uint32_t name, unsigned char type, uint16_t section, uint64_t value) {
  Elf64_Sym entry{};
  entry.st_name = name;
  entry.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, type));
  entry.st_shndx = section;
  entry.st_value = value;
  return raw(entry);
}

// What a test changes of the file.
struct Parts {
  std::string id = "\x01\x02\x03\x04\x05\x06\x07\x08";
  std::string interpreter = std::string("/lib64/ld.so\0", 13);
  // At 1: libc.so, at 9: libm.so, at 17: parse, at 23: free.
  std::string names = std::string("\0libc.so\0libm.so\0parse\0free\0", 28);
  std::string dynamics;
  std::string symbols =
      symbol(0, 0, 0, 0) + symbol(17, STT_FUNC, 1, 0x1000) + symbol(23, STT_FUNC, 0, 0);
  uint32_t text_flags = PF_R | PF_X;
  uint64_t text_at = 0x1000, entry = 0x1000, dynstr_at = 0x3000;
  uint16_t type = ET_DYN;
  std::function<void(ElfBuilder&)> more = [](ElfBuilder&) {};

  Parts() { dynamics = dynamic(DT_NEEDED, 1) + dynamic(DT_STRTAB, 0x3000); }
};

// A pair, read.
Faults compare(const Parts& before, const Parts& after) {
  std::vector<uint8_t> files[2];
  std::optional<ElfImage> images[2];
  for (int i = 0; i < 2; i++) {
    const Parts& parts = i == 0 ? before : after;
    ElfBuilder elf;
    elf.header.e_type = parts.type;
    elf.header.e_machine = EM_X86_64;
    elf.header.e_entry = parts.entry;
    auto add = [&](const char* name, uint32_t type, uint64_t flags, uint64_t addr,
                   const std::string& contents) {
      return elf.add_section(name, type, SHF_ALLOC | flags, addr, contents);
    };
    uint64_t at = add(".text", SHT_PROGBITS, SHF_EXECINSTR, parts.text_at, std::string(16, '\xc3'));
    elf.add_segment(PT_LOAD, parts.text_flags, at, 16, parts.text_at);
    at = add(".note.gnu.build-id", SHT_NOTE, 0, 0x2000,
             ElfBuilder::note("GNU", NT_GNU_BUILD_ID, parts.id));
    elf.add_segment(PT_LOAD, PF_R, at, 24, 0x2000);
    at = add(".dynstr", SHT_STRTAB, 0, parts.dynstr_at, parts.names);
    elf.add_segment(PT_LOAD, PF_R, at, parts.names.size(), parts.dynstr_at);
    at = add(".dynsym", SHT_DYNSYM, 0, 0x4000, parts.symbols);
    elf.add_segment(PT_LOAD, PF_R, at, parts.symbols.size(), 0x4000);
    at = elf.add_bytes(parts.dynamics);
    elf.add_segment(PT_DYNAMIC, PF_R, at, parts.dynamics.size(), 0x5000);
    at = elf.add_bytes(parts.interpreter);
    elf.add_segment(PT_INTERP, PF_R, at, parts.interpreter.size(), 0x6000);
    parts.more(elf);
    files[i] = elf.finish();
    Result<ElfImage> image = ElfImage::parse(files[i], i == 0 ? "input" : "result");
    EXPECT_TRUE(image) << image.error().message;
    if (!image) return {"unreadable"};
    images[i] = *std::move(image);
  }
  return check_equivalence(*images[0], *images[1]);
}

TEST(BoltCheck, TheSameProgramHasNoFaults) {
  EXPECT_EQ(compare({}, {}), Faults{});
  Parts moved;
  moved.text_at = moved.entry = 0x9000;
  moved.id.back() ^= 1;
  EXPECT_EQ(compare({}, moved), Faults{});
}

TEST(BoltCheck, Identity) {
  Parts other;
  other.id.front() ^= 2;
  EXPECT_EQ(compare({}, other), Faults{"has the build ID 0302030405060708, not that of its input"});
  Parts fixed;
  fixed.type = ET_EXEC;
  EXPECT_EQ(compare({}, fixed), Faults{"is of another ELF type"});
  Parts loader;
  loader.interpreter = std::string("/lib/other\0", 11);
  EXPECT_EQ(compare({}, loader),
            Faults{"requests the loader '/lib/other' instead of '/lib64/ld.so'"});
}

TEST(BoltCheck, WhatItNeedsAndIs) {
  Parts more;
  more.dynamics = dynamic(DT_NEEDED, 1) + dynamic(DT_NEEDED, 9) + dynamic(DT_STRTAB, 0x3000);
  EXPECT_EQ(compare({}, more), Faults{"needs libc.so, libm.so instead of libc.so"});
  EXPECT_EQ(compare(more, {}), Faults{"needs libc.so instead of libc.so, libm.so"});
  Parts named;
  named.dynamics += dynamic(DT_SONAME, 9);
  EXPECT_EQ(compare(named, {}), Faults{"has the SONAME none instead of libm.so"});
  Parts now;
  now.dynamics += dynamic(DT_FLAGS, DF_BIND_NOW);
  EXPECT_EQ(compare(now, {}), Faults{"has another DT_FLAGS"});
  Parts initialized;
  initialized.dynamics += dynamic(DT_INIT, 0x1000);
  EXPECT_EQ(compare(initialized, {}), Faults{"has gained or lost DT_INIT"});
  Parts elsewhere;  // llvm-bolt moves code
  elsewhere.dynamics += dynamic(DT_INIT, 0x1008);
  EXPECT_EQ(compare(initialized, elsewhere), Faults{});
}

TEST(BoltCheck, WhatItExports) {
  Parts less;
  less.symbols = symbol(0, 0, 0, 0) + symbol(23, STT_FUNC, 0, 0);
  EXPECT_EQ(compare({}, less),
            Faults{"has lost 1 of 2 dynamic symbols, such as parse (exported, type 2, binding 1)"});
  EXPECT_EQ(compare(less, {}),
            Faults{"has 1 dynamic symbols that its input does not have, such as parse "
                   "(exported, type 2, binding 1)"});
  Parts imported;
  imported.symbols = symbol(0, 0, 0, 0) + symbol(17, STT_FUNC, 0, 0) + symbol(23, STT_FUNC, 0, 0);
  EXPECT_EQ(compare({}, imported).size(), 2u);
  Parts moved;
  moved.symbols = symbol(0, 0, 0, 0) + symbol(17, STT_FUNC, 1, 0x1008) + symbol(23, STT_FUNC, 0, 0);
  EXPECT_EQ(compare({}, moved), Faults{});
}

TEST(BoltCheck, SegmentsAndSections) {
  Parts writable;
  writable.text_flags |= PF_W;
  EXPECT_EQ(compare({}, writable),
            Faults{"has a segment at 0x1000 that is writable and executable"});
  EXPECT_EQ(compare(writable, writable), Faults{});
  Parts lost;
  lost.entry = 0x7000;
  EXPECT_EQ(compare({}, lost), Faults{"starts at 0x7000, where it has no code"});
  Parts overlapping;
  overlapping.text_at = overlapping.entry = 0x1ff8;
  EXPECT_EQ(compare({}, overlapping), Faults{"has segments at 0x1ff8 and 0x2000 that overlap"});
  Parts outside;
  outside.more = [](ElfBuilder& elf) {
    elf.add_section(".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x20000, "data");
  };
  EXPECT_EQ(compare({}, outside), Faults{"has a section .data outside what is loaded"});
  Parts beyond;
  beyond.more = [](ElfBuilder& elf) { elf.add_segment(PT_LOAD, PF_R, 0x100000, 16, 0x30000); };
  EXPECT_EQ(compare({}, beyond), Faults{"has a segment at 0x30000 that the file does not hold"});
  Parts guarded;
  guarded.more = [](ElfBuilder& elf) { elf.add_segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 0); };
  EXPECT_EQ(compare(guarded, {}), Faults{"has other permissions of the stack (PT_GNU_STACK)"});
}

// A damaged table of names, none of which ends: time and memory are those of so many short ones.
TEST(BoltCheck, NamesAreBounded) {
  Parts endless;
  endless.names += std::string(8 << 20, 'x');
  endless.symbols = symbol(0, 0, 0, 0);
  for (uint32_t i = 0; i < 20000; i++) endless.symbols += symbol(28 + i, STT_FUNC, 1, 0x1000);
  endless.dynstr_at = 0x100000;
  endless.dynamics = dynamic(DT_STRTAB, endless.dynstr_at);
  Parts one_less = endless;
  one_less.symbols.resize(one_less.symbols.size() - sizeof(Elf64_Sym));
  auto start = std::chrono::steady_clock::now();
  Faults faults = compare(endless, one_less);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(faults, Faults{"has lost 1 of 20000 dynamic symbols, such as " +
                           std::string(4096, 'x') + " (exported, type 2, binding 1)"});
}

std::string word(uint64_t value) {
  std::string text;
  for (int i = 0; i < 4; i++) text += static_cast<char>(value >> (8 * i));
  return text;
}

// Unwind information for the first `covered` bytes of .text, which has main in its first 8 bytes
// and `fragment` in the rest.
Parts unwound(uint64_t covered, const std::string& fragment) {
  constexpr uint64_t kText = 0x1000, kHeader = 0x7000, kFrames = 0x8000;
  std::string frames = word(16) + word(0) + std::string("\x01zR\0\x01\x78\x10\x01\x1b\0\0\0", 12) +
                       word(16) + word(24) + word(kText - (kFrames + 28)) + word(covered) +
                       std::string(4, '\0') + word(0);
  std::string header = std::string("\x01\x1b\x03\x3b", 4) + word(kFrames - (kHeader + 4)) +
                       word(1) + word(kText - kHeader) + word(kFrames + 20 - kHeader);
  Parts parts;
  parts.more = [=](ElfBuilder& elf) {
    uint64_t at = elf.add_section(".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, kHeader, header);
    elf.add_segment(PT_LOAD, PF_R, at, header.size(), kHeader);
    at = elf.add_section(".eh_frame", SHT_PROGBITS, SHF_ALLOC, kFrames, frames);
    elf.add_segment(PT_LOAD, PF_R, at, frames.size(), kFrames);
    elf.add_symbol("main", STT_FUNC, 1, kText, 8);
    elf.add_symbol(fragment, STT_FUNC, 1, kText + 8, 8);
  };
  return parts;
}

TEST(BoltCheck, WhatWasUnwoundStillIs) {
  Parts before = unwound(8, "start");
  EXPECT_EQ(compare(before, unwound(16, "main.cold.0")), Faults{});
  for (const char* fragment : {"main", "main.cold.0", "main.cold.12"})
    EXPECT_EQ(
        compare(before, unwound(8, fragment)),
        Faults{std::string("has no unwind information for 1 functions that had some, such as ") +
               fragment});
  // Had none before, or are something else.
  for (const char* other : {"start", "start.cold.0", "main.cold.part", "main.colder"})
    EXPECT_EQ(compare(before, unwound(8, other)), Faults{});
}

// A C function with unwind information, and one of the same name in assembly, without.
TEST(BoltCheck, ANameThatWasAlsoOfUnwindlessCodeSaysNothing) {
  EXPECT_EQ(compare(unwound(8, "main"), unwound(8, "main")), Faults{});
  EXPECT_EQ(compare(unwound(8, "main"), unwound(8, "main.cold.0")), Faults{});
  EXPECT_EQ(compare(unwound(16, "main"), unwound(8, "main")),
            Faults{"has no unwind information for 1 functions that had some, such as main"});
}

}  // namespace
}  // namespace pgo::bolt_check_test
