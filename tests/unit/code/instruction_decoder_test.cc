#include "pgo/code/instruction_decoder.h"

#include <gtest/gtest.h>

#include <thread>

#include "pgo/dwarf/debug_info.h"
#include "tests/data/debug_program.h"
#include "tests/data/elf_builder.h"

namespace pgo::test::instruction_decoder_test {
namespace {

struct Code {
  std::string name;  // of the section
  uint64_t addr = 0;
  std::string bytes;
  std::vector<uint64_t> symbols = {};
};

struct Binary {
  std::vector<uint8_t> bytes;
  std::unique_ptr<ElfImage> image;
};

Binary build(const std::vector<Code>& sections, uint16_t machine = EM_X86_64) {
  ElfBuilder elf;
  elf.header.e_machine = machine;
  for (const Code& code : sections) {
    uint16_t index = elf.next_section();
    uint64_t offset =
        elf.add_section(code.name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code.addr, code.bytes);
    elf.add_segment(PT_LOAD, PF_R | PF_X, offset, code.bytes.size(), code.addr);
    for (uint64_t symbol : code.symbols) elf.add_symbol("s", STT_NOTYPE, index, symbol, 0);
  }
  Binary binary{elf.finish(), nullptr};
  binary.image = std::make_unique<ElfImage>(ElfImage::parse(binary.bytes, "binary").value());
  return binary;
}

// "c5" for a call of five bytes at each address, "." where no instruction starts.
std::string map_of(const CodeMap& map) {
  std::string text;
  for (ElfAddr a = map.begin(); a < map.end(); a.value++) {
    CodeByte byte = map.at(a);
    text += byte.is_code() ? "ocrj"[byte.kind()] + std::to_string(byte.size()) : ".";
  }
  return text;
}

std::string decode(const std::vector<Code>& sections, uint16_t machine = EM_X86_64) {
  Binary binary = build(sections, machine);
  return map_of(*make_code_map(*binary.image, *binary.image).value());
}

std::string x(std::initializer_list<int> bytes) {
  std::string text;
  for (int byte : bytes) text += static_cast<char>(byte);
  return text;
}

constexpr uint64_t kText = 0x1000;

// call +0; ret; jmp +0; jmp +0 (long); je +0; jmp *%rax; call *%rax; syscall; hlt; nop
TEST(InstructionDecoder, ClassifiesInstructions) {
  EXPECT_EQ(
      decode({{".text", kText, x({0xe8, 0, 0, 0, 0, 0xc3, 0xeb, 0, 0xe9, 0, 0, 0, 0}), {kText}}}),
      "c5....r1j2.j5....");
  EXPECT_EQ(decode({{".text",
                     kText,
                     x({0x74, 0, 0xff, 0xe0, 0xff, 0xd0, 0x0f, 0x05, 0xf4, 0x90}),
                     {kText}}}),
            "o2.o2.c2.o2.o1o1");
  EXPECT_EQ(
      decode({{".text", kText, x({0xf3, 0xc3, 0xc2, 8, 0, 0xf3, 0x0f, 0x1e, 0xfa}), {kText}}}),
      "r2.r3..o4...")
      << "rep ret, ret 8, endbr64";
}

TEST(InstructionDecoder, DecodesAArch64) {
  // bl, ret, b, b.eq, br x0, blr x0, nop
  EXPECT_EQ(decode({{".text",
                     kText,
                     x({0,    0, 0, 0x94, 0xc0, 0x03, 0x5f, 0xd6, 0,    0,    0,    0x14, 0,   0, 0,
                        0x54, 0, 0, 0x1f, 0xd6, 0,    0,    0x3f, 0xd6, 0x1f, 0x20, 0x03, 0xd5}),
                     {kText}}},
                   EM_AARCH64),
            "c4...r4...j4...o4...o4...c4...o4...");
}

// 06 is no instruction in 64-bit mode: one byte is passed over.
TEST(InstructionDecoder, StepsOverWhatIsNoInstruction) {
  EXPECT_EQ(decode({{".text", kText, x({0x90, 0x06, 0x90}), {kText}}}), "o1.o1");
  EXPECT_EQ(decode({{".text", kText, x({0x90, 0xe8, 0, 0}), {kText}}}), "o1.o2.")
      << "a call that is cut short by the end of the section";
}

// mov $0xc3c3c3c3,%eax: decoding begins again at each symbol, though it lies inside.
TEST(InstructionDecoder, BeginsAgainAtEverySymbol) {
  const std::string mov = x({0xb8, 0xc3, 0xc3, 0xc3, 0xc3, 0x90});
  EXPECT_EQ(decode({{".text", kText, mov, {kText}}}), "o5....o1");
  EXPECT_EQ(decode({{".text", kText, mov, {kText, kText + 3}}}), "o5..r1r1o1");
  EXPECT_EQ(decode({{".text", kText, mov, {kText + 3, kText, kText + 3}}}), "o5..r1r1o1");
}

TEST(InstructionDecoder, LeavesOutWhatStandsBeforeTheFirstSymbol) {
  EXPECT_EQ(decode({{".text", kText, x({0x90, 0x90, 0x90}), {kText + 1}}}), ".o1o1");
  EXPECT_EQ(decode({{".text", kText, x({0x90, 0x90}), {}}}), "..");
}

TEST(InstructionDecoder, LeavesThePltOut) {
  EXPECT_EQ(decode({{".plt", kText, x({0x90, 0x90}), {kText}},
                    {".plt.sec", kText + 2, x({0x90, 0x90}), {kText + 2}},
                    {".text", kText + 4, x({0xc3}), {kText + 4}}}),
            "..o1o1r1");
}

TEST(InstructionDecoder, TakesSymbolsOfTheirOwnSectionOnly) {
  Binary binary = build({{".text", kText, x({0x90, 0x90}), {kText}},
                         {".other", kText + 2, x({0x90, 0x90}), {kText + 1}}});
  EXPECT_EQ(map_of(*make_code_map(*binary.image, *binary.image).value()), "o1o1..");
}

TEST(InstructionDecoder, TakesSymbolsFromTheDebugFile) {
  Binary stripped = build({{".text", kText, x({0x90, 0xc3}), {}}});
  Binary debug = build({{".text", kText, x({0, 0}), {kText}}});
  EXPECT_EQ(map_of(*make_code_map(*stripped.image, *debug.image).value()), "o1r1");
}

// Whatever is asked for first: sections that overlap, as only a damaged file has them.
TEST(InstructionDecoder, DoesNotDependOnTheOrderOfQuestions) {
  Binary binary = build({{".text", kText, std::string(16, '\x90'), {kText}},
                         {".over", kText + 4, x({0xc3, 0xc3}), {kText + 4}}});
  for (uint64_t first = 0; first < 16; first++) {
    auto map = make_code_map(*binary.image, *binary.image).value();
    (void)map->at(ElfAddr{kText + first});
    std::string text = map_of(*map);
    EXPECT_EQ(text, map_of(*make_code_map(*binary.image, *binary.image).value())) << first;
  }
}

TEST(InstructionDecoder, RefusesWhatItCannotDecode) {
  Binary sparc = build({{".text", kText, x({0}), {kText}}}, EM_SPARCV9);
  EXPECT_EQ(make_code_map(*sparc.image, *sparc.image).error().message,
            "binary: is for machine 43; code of x86-64 and AArch64 is read");
  Binary none = build({});
  EXPECT_EQ(make_code_map(*none.image, *none.image).error().message,
            "binary: has no code: no executable segment");
  ElfBuilder elf;
  elf.add_section(".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, kText, x({0x90}));
  elf.add_segment(PT_LOAD, PF_R | PF_X, 0, 0, kText);
  std::vector<uint8_t> split = elf.finish();
  ElfImage debug_file = ElfImage::parse(split, "binary.debug").value();
  EXPECT_EQ(make_code_map(debug_file, debug_file).error().message,
            "binary.debug: is a debug file (objcopy --only-keep-debug), without code; name the "
            "binary that ran with \xFF{binary}, and this one with \xFF{debug-file}");
  Binary wide = build({{".a", kText, x({0x90}), {kText}}, {".b", 1ull << 40, x({0x90}), {}}});
  EXPECT_EQ(make_code_map(*wide.image, *wide.image).error().message,
            "binary: its code spans more than 4 GiB");
  Binary sparse = build({{".a", kText, x({0x90}), {kText}}, {".b", 1u << 30, x({0x90}), {}}});
  EXPECT_EQ(make_code_map(*sparse.image, *sparse.image).error().message,
            "binary: its code spans " + std::to_string((1u << 30) + 1 - kText) +
                " bytes, in a file of " + std::to_string(sparse.image->bytes().size()) +
                ": is it damaged?");
}

TEST(InstructionDecoder, GivesManyThreadsTheSame) {
  for (const std::string& name : debug_program_names()) {
    DebugProgram program(name);
    std::string expected = map_of(*program.binary.code);
    auto shared = make_code_map(*program.binary.image, *program.binary.image).value();
    std::vector<std::string> seen(4);
    {
      std::vector<std::jthread> threads;
      for (std::string& text : seen) threads.emplace_back([&] { text = map_of(*shared); });
    }
    for (const std::string& text : seen) EXPECT_TRUE(text == expected) << name;
    break;  // one of them is enough
  }
}

}  // namespace
}  // namespace pgo::test::instruction_decoder_test
