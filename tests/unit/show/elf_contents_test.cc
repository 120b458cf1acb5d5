#include "pgo/show/elf_contents.h"

#include <elf.h>

#include "tests/data/elf_builder.h"
#include "tests/data/shown_files.h"

namespace pgo::test::elf_contents_test {
namespace {

using ElfContentsTest = ShownFiles;

// An executable at a fixed address with a function main().
ElfBuilder program() {
  ElfBuilder elf;
  elf.header.e_type = ET_EXEC;
  elf.header.e_machine = EM_X86_64;
  uint64_t offset =
      elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "\x90\x90\x90\xc3");
  elf.add_segment(PT_LOAD, PF_R | PF_X, offset, 4, 0x1000);
  elf.add_symbol("main", STT_FUNC, 1, 0x1000, 4);
  return elf;
}

std::string little_endian(std::initializer_list<uint64_t> values) {
  std::string bytes;
  for (uint64_t value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TEST_F(ElfContentsTest, ShowsWhatAProgramLacks) {
  ElfBuilder elf = program();
  std::string path = write("server", elf.finish());
  uint64_t size = std::filesystem::file_size(path);
  EXPECT_EQ(
      text_of(path),
      "server: ELF static executable at a fixed address, x86-64, 936 bytes, 4 bytes of code\n"
      "  build ID      none: recordings identify it by its file name only; link with "
      "-Wl,--build-id\n"
      "  debug info    none: counts cannot be assigned to source lines; build with "
      "-gline-tables-only "
      "-fdebug-info-for-profiling, or -g\n"
      "  symbols       1, 1 of functions\n"
      "  BOLT          refused: it has no relocations, without which functions cannot be moved\n"
      "                link with {emit-relocs}, and strip nothing but debug information before "
      "BOLT\n");
  EXPECT_EQ(json_of(path), (nlohmann::json{{"path", "server"},
                                           {"format", "elf"},
                                           {"size", size},
                                           {"kind", "static executable at a fixed address"},
                                           {"machine", "x86-64"},
                                           {"build_id", ""},
                                           {"code_size", 4},
                                           {"debug_info", nullptr},
                                           {"symbols", 1},
                                           {"functions", 1},
                                           {"stripped", false},
                                           {"relocations", false},
                                           {"pseudo_probes", false},
                                           {"functions_with_probes", 0},
                                           {"profile", nullptr},
                                           {"bolted", false},
                                           {"address_translation", false}}));
}

TEST_F(ElfContentsTest, ShowsWhatAProgramHas) {
  ElfBuilder elf = program();
  elf.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0x900, "/lib/ld.so");
  elf.add_build_id("12345678");
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, "....");
  elf.add_section(".rela.text", SHT_RELA, SHF_INFO_LINK, 0, std::string(24, '\0'));
  elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x800,
                  ElfBuilder::note("ProdPGO", 1,
                                   R"({"bolt":"sha256:12","name":"server","profile":"sha256:ab",)"
                                   R"("tool":"ProdPGO 0.1.0"})"));
  std::string path = write("server", elf.finish());
  EXPECT_EQ(text_of(path),
            "server: ELF executable at a fixed address, x86-64, 1.5 kB, 4 bytes of code\n"
            "  build ID      3132333435363738\n"
            "  debug info    in the file\n"
            "  symbols       1, 1 of functions\n"
            "  BOLT          can be optimized: symbols and relocations were kept\n"
            "  profile       server, applied by ProdPGO 0.1.0\n"
            "                sha256:ab\n"
            "                BOLT's: sha256:12\n");
  nlohmann::json json = json_of(path);
  EXPECT_EQ(json["build_id"], "3132333435363738");
  EXPECT_EQ(json["debug_info"], "server");
  EXPECT_EQ(json["profile"], (nlohmann::json{{"bolt", "sha256:12"},
                                             {"name", "server"},
                                             {"profile", "sha256:ab"},
                                             {"tool", "ProdPGO 0.1.0"}}));
}

TEST_F(ElfContentsTest, TellsKindsOfElfFiles) {
  auto kind_of = [&](ElfBuilder& elf) -> std::string {
    return json_of(write("file", elf.finish()))["kind"];
  };
  ElfBuilder executable = program();
  executable.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0x900, "/lib/ld.so");
  EXPECT_EQ(kind_of(executable), "executable at a fixed address");
  ElfBuilder library = program();
  library.header.e_type = ET_DYN;
  EXPECT_EQ(kind_of(library), "shared library");
  ElfBuilder pie = program();
  pie.header.e_type = ET_DYN;
  pie.add_section(".dynamic", SHT_DYNAMIC, SHF_ALLOC, 0x900,
                  little_endian({DT_FLAGS_1, DF_1_PIE, DT_NULL, 0}));
  EXPECT_EQ(kind_of(pie), "static position-independent executable");
  pie.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0xa00, "/lib/ld.so");
  EXPECT_EQ(kind_of(pie), "position-independent executable");
  ElfBuilder named = program();  // a library that can be run as well, as libc is
  named.header.e_type = ET_DYN;
  named.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0xa00, "/lib/ld.so");
  named.add_section(".dynamic", SHT_DYNAMIC, SHF_ALLOC, 0x900,
                    little_endian({DT_SONAME, 1, DT_NULL, 0}));
  EXPECT_EQ(kind_of(named), "shared library");
  ElfBuilder object = program();
  object.header.e_type = ET_REL;
  EXPECT_EQ(kind_of(object), "object file");
  ElfBuilder core = program();
  core.header.e_type = ET_CORE;
  EXPECT_EQ(kind_of(core), "core dump");
  ElfBuilder other = program();
  other.header.e_type = ET_NONE;
  EXPECT_EQ(kind_of(other), "file of another kind");
}

TEST_F(ElfContentsTest, FindsTheDebugFile) {
  ElfBuilder stripped;
  stripped.add_build_id("12345678");
  ElfBuilder debug;
  debug.add_build_id("12345678");
  debug.add_section(".debug_info", SHT_PROGBITS, 0, 0, "....");
  ShowRequest asked = request(write("server", stripped.finish()));
  EXPECT_NE(
      text_of(asked).find("  debug info    none: counts cannot be assigned to source lines; it "
                          "is stripped: give the file as it was linked, or name its debug "
                          "file with {debug-file}\n"
                          "  symbols       none: it is stripped\n"),
      std::string::npos)
      << text_of(asked);
  asked.debug.files = {write("server.debug", debug.finish())};
  EXPECT_NE(text_of(asked).find("  debug info    in server.debug\n"), std::string::npos);
  EXPECT_EQ(json_of(asked)["debug_info"], "server.debug");
  asked.debug.files = {path("missing")};
  EXPECT_EQ(text_of(asked), "error: missing: cannot open: No such file or directory");
}

TEST_F(ElfContentsTest, RejectsADamagedFile) {
  std::vector<uint8_t> file = program().finish();
  file.resize(70);
  EXPECT_EQ(text_of(write("server", file)),
            "error: server: ends at byte 70, but its program headers are at byte 64: a truncated "
            "copy?");
}

}  // namespace
}  // namespace pgo::test::elf_contents_test
