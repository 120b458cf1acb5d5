#include "pgo/elf/elf_image.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/data/elf_builder.h"

namespace pgo::elf_image_test {
namespace {

constexpr uint32_t kCode = PF_R | PF_X;
const std::string kId20 =
    "\x01\x23\x45\x67\x89\xab\xcd\xef\x10\x32\x54\x76\x98\xba\xdc\xfe\xaa\xbb\xcc\xdd";
constexpr char kHex20[] = "0123456789abcdef1032547698badcfeaabbccdd";

std::string build_id_note(std::string_view id) {
  return ElfBuilder::note("GNU", NT_GNU_BUILD_ID, id);
}

ElfImage parse_whole(Bytes file) {
  Result<ElfImage> image = ElfImage::parse(file, "prog");
  EXPECT_TRUE(image) << image.error().message;
  return *std::move(image);
}

Error parse_error(Bytes file) {
  Result<ElfImage> image = ElfImage::parse(file, "prog");
  return image ? Error{ErrorKind::kInternal, "no error"} : image.error();
}

// A program as linkers make it: code at another address than its place in the file, a build ID, a
// debug link, and symbols of every kind that matters.
std::vector<uint8_t> whole_program() {
  ElfBuilder elf;
  uint16_t text = elf.next_section();
  uint64_t code = elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x401000,
                                  std::string(32, '\x90'));
  elf.add_section(".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0x500000, std::string(64, '\0'));
  std::string note = build_id_note(kId20);
  uint64_t id = elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x400300, note);
  elf.add_section(".gnu_debuglink", SHT_PROGBITS, 0, 0,
                  std::string_view("prog.debug\0\0\x78\x56\x34\x12", 16));
  elf.add_segment(PT_NOTE, PF_R, id, note.size(), 0x400300);
  elf.add_segment(PT_LOAD, kCode, code, 32, 0x401000);
  elf.add_symbol("puts", STT_FUNC, SHN_UNDEF, 0, 0);
  elf.add_symbol("main", STT_FUNC, text, 0x401000, 16);
  elf.add_symbol("choose", STT_GNU_IFUNC, text, 0x401010, 8);
  elf.add_symbol("label", STT_NOTYPE, text, 0x401018, 0);
  elf.add_symbol("constant", STT_OBJECT, SHN_ABS, 7, 0);
  return elf.finish();
}

TEST(ElfImage, ReadsAWholeProgram) {
  std::vector<uint8_t> file = whole_program();
  ElfImage image = parse_whole(file);
  EXPECT_EQ(image.path(), "prog");
  EXPECT_EQ(image.kind(), ElfImage::Kind::kShared);
  EXPECT_EQ(image.machine(), EM_X86_64);
  EXPECT_EQ(image.build_id().hex(), kHex20);
  ASSERT_EQ(image.segments().size(), 1u);
  EXPECT_EQ(image.segments()[0].addr, ElfAddr{0x401000});
  EXPECT_EQ(image.segments()[0].file_size, 32u);
  EXPECT_TRUE(image.segments()[0].executable);

  std::vector<std::string> names;
  for (const ElfImage::Section& section : image.sections()) names.emplace_back(section.name);
  EXPECT_EQ(names, (std::vector<std::string>{"", ".text", ".bss", ".note.gnu.build-id",
                                             ".gnu_debuglink", ".symtab", ".strtab", ".shstrtab"}));
  const ElfImage::Section* text = image.find_section(".text");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->addr, ElfAddr{0x401000});
  EXPECT_EQ(text->bytes.size(), 32u);
  EXPECT_EQ(text->bytes[31], 0x90);
  EXPECT_TRUE(text->allocated && text->executable);
  const ElfImage::Section* bss = image.find_section(".bss");
  ASSERT_NE(bss, nullptr);
  EXPECT_EQ(bss->size, 64u);
  EXPECT_TRUE(bss->bytes.empty());
  EXPECT_TRUE(bss->allocated && !bss->executable);
  EXPECT_EQ(image.find_section(".data"), nullptr);
}

TEST(ElfImage, KeepsSymbolsThatLieInASection) {
  std::vector<uint8_t> file = whole_program();
  ElfImage image = parse_whole(file);
  ASSERT_EQ(image.symbols().size(), 3u);  // neither the imported nor the absolute one
  EXPECT_EQ(image.symbols()[0].name, "main");
  EXPECT_EQ(image.symbols()[0].addr, ElfAddr{0x401000});
  EXPECT_EQ(image.symbols()[0].size, 16u);
  EXPECT_EQ(image.sections()[image.symbols()[0].section].name, ".text");
  EXPECT_TRUE(image.symbols()[0].function);
  EXPECT_EQ(image.symbols()[1].name, "choose");
  EXPECT_TRUE(image.symbols()[1].function);
  EXPECT_EQ(image.symbols()[2].name, "label");
  EXPECT_FALSE(image.symbols()[2].function);
}

TEST(ElfImage, ReadsTheDebugLink) {
  std::vector<uint8_t> file = whole_program();
  ElfImage image = parse_whole(file);
  ASSERT_TRUE(image.debug_link());
  EXPECT_EQ(image.debug_link()->file_name, "prog.debug");
  EXPECT_EQ(image.debug_link()->crc, 0x12345678u);
}

TEST(ElfImage, HasNoDebugLinkWhenTheSectionIsCutShort) {
  ElfBuilder no_crc, no_nul;
  no_crc.add_section(".gnu_debuglink", SHT_PROGBITS, 0, 0,
                     std::string_view("prog.debug\0\0\x78", 13));
  no_nul.add_section(".gnu_debuglink", SHT_PROGBITS, 0, 0, "prog.debug");
  std::vector<uint8_t> first = no_crc.finish(), second = no_nul.finish();
  EXPECT_FALSE(parse_whole(first).debug_link());
  EXPECT_FALSE(parse_whole(second).debug_link());
}

TEST(ElfImage, RefusesMoreExecutableSegmentsThanAnyLinkerMakes) {
  auto with_executable = [](uint64_t count) {
    std::vector<Elf64_Phdr> segments(count + 1,
                                     Elf64_Phdr{PT_LOAD, PF_R | PF_X, 0, 0, 0, 16, 16, 1});
    segments[0].p_flags = PF_R;
    std::vector<uint8_t> file = ElfBuilder().finish();
    auto* header = reinterpret_cast<Elf64_Ehdr*>(file.data());
    header->e_phoff = file.size();
    header->e_phnum = static_cast<uint16_t>(segments.size());
    auto* bytes = reinterpret_cast<const uint8_t*>(segments.data());
    file.insert(file.end(), bytes, bytes + segments.size() * sizeof(Elf64_Phdr));
    return file;
  };
  std::vector<uint8_t> most = with_executable(32), more = with_executable(33);
  EXPECT_EQ(parse_whole(most).segments().size(), 33u);
  Result<ElfImage> image = ElfImage::parse(more, "many");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().message,
            "many: has more than 32 executable segments, which no linker makes");
}

TEST(ElfImage, FindsTheBuildIdWithoutSections) {
  ElfBuilder elf;
  // As in real files, another note stands before it.
  std::string notes = ElfBuilder::note("GNU", NT_GNU_ABI_TAG, std::string(16, '\1')) +
                      ElfBuilder::note("stapsdt", NT_GNU_BUILD_ID, "not an id") +
                      build_id_note(kId20);
  elf.add_segment(PT_NOTE, PF_R, elf.add_bytes(notes), notes.size(), 0x400300);
  std::vector<uint8_t> file = elf.finish();
  file.resize(elf.header.e_shoff);
  reinterpret_cast<Elf64_Ehdr*>(file.data())->e_shoff = 0;
  reinterpret_cast<Elf64_Ehdr*>(file.data())->e_shnum = 0;
  reinterpret_cast<Elf64_Ehdr*>(file.data())->e_shstrndx = 0;
  ElfImage image = parse_whole(file);
  EXPECT_EQ(image.build_id().hex(), kHex20);
  EXPECT_TRUE(image.sections().empty());
  EXPECT_TRUE(image.symbols().empty());
}

TEST(ElfImage, FindsTheBuildIdWithoutSegments) {
  ElfBuilder elf;
  elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x300, build_id_note(kId20));
  std::vector<uint8_t> file = elf.finish();
  EXPECT_EQ(parse_whole(file).build_id().hex(), kHex20);
}

TEST(ElfImage, FindsTheBuildIdOfADebugFileWhoseSegmentsAreElsewhere) {
  ElfBuilder elf;  // objcopy --only-keep-debug leaves the program headers of the whole file
  elf.add_segment(PT_NOTE, PF_R, 0x100000, 36, 0x400300);
  elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x400300, build_id_note(kId20));
  std::vector<uint8_t> file = elf.finish();
  EXPECT_EQ(parse_whole(file).build_id().hex(), kHex20);
}

TEST(ElfImage, TakesShortBuildIds) {
  ElfBuilder elf;
  elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x300, build_id_note("12345678"));
  std::vector<uint8_t> file = elf.finish();
  EXPECT_EQ(parse_whole(file).build_id().hex(), "3132333435363738");
}

TEST(ElfImage, HasNoBuildIdWhenThereIsNone) {
  for (std::string note : {std::string(), std::string("\4\0\0\0\xff\xff\xff\xff\3\0\0\0GNU\0", 16),
                           ElfBuilder::note("GNU", NT_GNU_BUILD_ID, ""), std::string(11, '\0')}) {
    ElfBuilder elf;
    elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x300, note);
    std::vector<uint8_t> file = elf.finish();
    EXPECT_TRUE(parse_whole(file).build_id().empty()) << note.size();
  }
}

TEST(ElfImage, TurnsFileOffsetsIntoAddresses) {
  ElfBuilder elf;
  // lld maps the end of one segment and the start of the next from the same page of the file.
  elf.add_segment(PT_LOAD, PF_R, 0x0, 0x1800, 0x200000);
  elf.add_segment(PT_LOAD, kCode, 0x1700, 0x500, 0x202700);
  elf.add_segment(PT_GNU_RELRO, kCode, 0x8000, 0x100, 0x900000);  // maps nothing
  std::vector<uint8_t> file = elf.finish();
  ElfImage image = parse_whole(file);
  auto code = [&](uint64_t offset) {
    return image.to_elf_addr(FileOffset{offset}, SegmentKind::kExecutable);
  };
  auto any = [&](uint64_t offset) {
    return image.to_elf_addr(FileOffset{offset}, SegmentKind::kAny);
  };
  EXPECT_EQ(code(0x1700), ElfAddr{0x202700});
  EXPECT_EQ(code(0x1bff), ElfAddr{0x202bff});
  EXPECT_EQ(code(0x1c00), std::nullopt);
  EXPECT_EQ(code(0x16ff), std::nullopt);
  EXPECT_EQ(any(0x1750), ElfAddr{0x201750});
  EXPECT_EQ(any(0x1800), ElfAddr{0x202800});
  EXPECT_EQ(any(0x8000), std::nullopt);
}

TEST(ElfImage, KnowsThreeKinds) {
  for (auto [type, kind] : {std::pair{ET_EXEC, ElfImage::Kind::kExecutable},
                            {ET_DYN, ElfImage::Kind::kShared},
                            {ET_REL, ElfImage::Kind::kOther}}) {
    ElfBuilder elf;
    elf.header.e_type = static_cast<uint16_t>(type);
    std::vector<uint8_t> file = elf.finish();
    EXPECT_EQ(parse_whole(file).kind(), kind);
  }
}

TEST(ElfImage, StaysValidWhenMoved) {
  std::vector<uint8_t> file = whole_program();
  ElfImage first = parse_whole(file);
  ElfImage second = std::move(first);
  EXPECT_EQ(second.symbols()[0].name, "main");
  EXPECT_EQ(second.bytes().data(), file.data());
}

TEST(ElfImage, RefusesOtherFiles) {
  std::vector<uint8_t> text = {'#', '!', '/', 'b', 'i', 'n'};
  EXPECT_EQ(parse_error(text), (Error{ErrorKind::kInput, "prog: not an ELF file"}));
  EXPECT_EQ(parse_error({}), (Error{ErrorKind::kInput, "prog: not an ELF file"}));

  for (auto [field, value] : {std::pair{EI_CLASS, ELFCLASS32}, {EI_DATA, ELFDATA2MSB}}) {
    std::vector<uint8_t> file = whole_program();
    file[static_cast<size_t>(field)] = static_cast<uint8_t>(value);
    EXPECT_EQ(parse_error(file), (Error{ErrorKind::kUnsupported,
                                        "prog: only 64-bit little-endian ELF files are read"}));
  }
}

TEST(ElfImage, SaysWhereATruncatedFileEnds) {
  std::vector<uint8_t> file = whole_program();
  Bytes bytes = file;
  EXPECT_EQ(parse_error(bytes.first(63)).message, "prog: ELF header is cut short");
  EXPECT_EQ(parse_error(bytes.first(100)).message,
            "prog: ends at byte 100, but its program headers are at byte 64: a truncated copy?");
  EXPECT_EQ(parse_error(bytes.first(file.size() - 1)).message,
            "prog: ends at byte 1367, but its section headers are at byte 856: a truncated copy?");
}

TEST(ElfImage, RefusesAFileCutShortAtEveryByte) {
  std::vector<uint8_t> file = whole_program();
  for (size_t size = 0; size < file.size(); size++) {
    // A copy of exactly that size, so that a read past its end is one past the allocation.
    std::vector<uint8_t> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(parse_error(cut).kind, ErrorKind::kInput) << size;
  }
}

TEST(ElfImage, SurvivesAnyDamagedByte) {
  std::vector<uint8_t> file = whole_program();
  size_t read = 0;
  for (size_t i = 0; i < file.size(); i++) {
    for (uint8_t value : {uint8_t{0}, uint8_t{0xff}, static_cast<uint8_t>(file[i] ^ 0x10)}) {
      std::vector<uint8_t> damaged = file;
      damaged[i] = value;
      Result<ElfImage> image = ElfImage::parse(damaged, "prog");
      if (!image) continue;
      // Reads every byte that the image points to.
      for (const ElfImage::Section& section : image->sections()) {
        for (uint8_t byte : section.bytes) read += byte;
        for (char c : section.name) read += static_cast<uint8_t>(c);
      }
      for (const ElfImage::Symbol& symbol : image->symbols()) {
        EXPECT_LT(symbol.section, image->sections().size());
        for (char c : symbol.name) read += static_cast<uint8_t>(c);
      }
      (void)image->debug_link();
      (void)image->to_elf_addr(FileOffset{~uint64_t{0}}, SegmentKind::kAny);
    }
  }
  EXPECT_GT(read, 0u);
}

// A program with this many symbols of one function, which all share the bytes of one name:
// symbol i begins at its byte `step` * i.
std::vector<uint8_t> program_of_namesakes(const std::string& name, size_t count, size_t step) {
  ElfBuilder elf;
  uint16_t text = elf.next_section();
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "code");
  elf.add_symbol(name, STT_FUNC, text, 0x1000, 4);
  for (size_t i = 1; i < count; i++) elf.add_symbol("", STT_FUNC, text, 0x1000, 4);
  std::vector<uint8_t> file = elf.finish();
  ElfImage image = parse_whole(file);
  auto* symbols = reinterpret_cast<Elf64_Sym*>(
      file.data() + (image.find_section(".symtab")->bytes.data() - file.data()));
  for (size_t i = 1; i < count; i++)
    symbols[1 + i].st_name = static_cast<uint32_t>(symbols[1].st_name + step * i);
  return file;
}

// lld makes symbols local that were hidden; bfd forgets that they were.
TEST(ElfImage, TellsLocalSymbolsFromHiddenOnes) {
  std::vector<uint8_t> file = program_of_namesakes("f", 3, 0);
  ElfImage image = parse_whole(file);
  auto* symbols = reinterpret_cast<Elf64_Sym*>(
      file.data() + (image.find_section(".symtab")->bytes.data() - file.data()));
  for (size_t i : {1u, 2u}) symbols[i].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
  symbols[2].st_other = STV_HIDDEN;
  ElfImage changed = parse_whole(file);
  EXPECT_TRUE(changed.symbols()[0].local);
  EXPECT_FALSE(changed.symbols()[1].local);
  EXPECT_FALSE(changed.symbols()[2].local);
}

TEST(ElfImage, ReadsNamesThatShareBytes) {
  std::vector<uint8_t> same = program_of_namesakes("$x", 1000, 0);
  EXPECT_EQ(parse_whole(same).symbols()[999].name, "$x");
  std::vector<uint8_t> ends = program_of_namesakes("a_tail_of_another", 10, 1);
  EXPECT_EQ(parse_whole(ends).symbols()[9].name, "_another");
}

TEST(ElfImage, RefusesNamesThatWouldTakeTheSquareOfTheFile) {
  std::vector<uint8_t> file = program_of_namesakes(std::string(100'000, 'a'), 2000, 1);
  EXPECT_EQ(parse_error(file),
            (Error{ErrorKind::kInput,
                   "prog: the names of its symbols overlap and are together more than 64 times as "
                   "long as its tables of names: is it damaged?"}));
}

TEST(ElfImage, HasNoNameWithoutAnEnd) {
  std::vector<uint8_t> file = program_of_namesakes("name", 1, 0);
  ElfImage image = parse_whole(file);
  Bytes strings = image.find_section(".strtab")->bytes;
  file[static_cast<size_t>(strings.data() - file.data()) + strings.size() - 1] = 'x';
  EXPECT_EQ(parse_whole(file).symbols()[0].name, "");
}

TEST(ElfImage, OpensItsOwnProgram) {
  Result<ElfImage> image = ElfImage::open("/proc/self/exe");
  ASSERT_TRUE(image) << image.error().message;
  bool has_main = false;
  for (const ElfImage::Symbol& symbol : image->symbols())
    has_main = has_main || (symbol.name == "main" && symbol.function);
  EXPECT_TRUE(has_main);
}

TEST(ElfImage, NamesTheFileItCannotOpen) {
  Result<ElfImage> image = ElfImage::open("/nonexistent/prog");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error(),
            (Error{ErrorKind::kIo, "/nonexistent/prog: cannot open: No such file or directory"}));
}

}  // namespace
}  // namespace pgo::elf_image_test
