#include "pgo/binary/profile_note.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"

namespace pgo::profile_note_test {
namespace {

constexpr const char* kNote =
    R"({"bolt":"sha256:12","quality":"good","density":"60","evidence":"branch-records","name":"server",)"
    R"("profile":"sha256:ab","split_half_overlap":"0.9","tool":"ProdPGO 0.1.0"})";

TEST(ProfileNote, HasTheFieldsOfThePackage) {
  ProfileNote note = parse_profile_note(kNote);
  EXPECT_TRUE(note.is_readable);
  EXPECT_EQ(note.name, "server");
  EXPECT_EQ(note.profile, "sha256:ab");
  EXPECT_EQ(note.evidence, "branch-records");
  EXPECT_EQ(note.quality, "good");
  EXPECT_EQ(note.density, "60");
  EXPECT_EQ(note.split_half_overlap, "0.9");
  EXPECT_EQ(note.tool, "ProdPGO 0.1.0");
  EXPECT_EQ(note.bolt, "sha256:12");
  EXPECT_EQ(describe_profile_note(note),
            "server, branch records, quality good, applied by ProdPGO 0.1.0\nsha256:ab\nBOLT's: "
            "sha256:12");
}

TEST(ProfileNote, SkipsFieldsOfLaterVersions) {
  ProfileNote note = parse_profile_note(R"( { "name" : "a\"b\\" , "new" : 1.5e3, "old":null } )");
  EXPECT_TRUE(note.is_readable);
  EXPECT_EQ(note.name, "a\"b\\");
}

TEST(ProfileNote, LeavesOutABoltDigestThatIsStillZero) {
  std::string zeros = R"({"bolt":"sha256:)" + std::string(64, '0') + R"(","tool":"ProdPGO 1"})";
  ProfileNote note = parse_profile_note(zeros);
  EXPECT_EQ(note.bolt, "");
  EXPECT_EQ(
      describe_profile_note(note),
      "none of its own (a library linked into it may have one); prepared for BOLT by ProdPGO 1");
}

TEST(ProfileNote, RejectsWhatIsNotOurs) {
  for (const char* text :
       {"", "{", "[]", "null", "{}x", R"({"name")", R"({"name":})", R"({"name":"a)",
        R"({"name":"a"b})", R"({"name":1})", R"({"name":"a\n"})", "{\"name\":\"\x1b[31m\"}",
        "{\"name\":\"\xc3\xa4\"}", R"({"x":{"y":"z"}})", R"({"x":["y"]})", R"({"name":"a",})"}) {
    EXPECT_EQ(parse_profile_note(text), ProfileNote{}) << text;
  }
  EXPECT_EQ(describe_profile_note(ProfileNote{}), "its note cannot be read");
  EXPECT_EQ(parse_profile_note(std::string(64 << 10, '[')), ProfileNote{});
}

TEST(ProfileNote, IsReadFromABinary) {
  ElfBuilder elf;
  std::vector<uint8_t> without = elf.finish();
  EXPECT_EQ(read_profile_note(ElfImage::parse(without, "prog").value()), std::nullopt);
  ElfBuilder noted;
  noted.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x400300,
                    ElfBuilder::note("ProdPGO", 1, kNote));
  std::vector<uint8_t> file = noted.finish();
  EXPECT_EQ(read_profile_note(ElfImage::parse(file, "prog").value()), parse_profile_note(kNote));
}

TEST(ProfileNote, TellsWhetherThereIsACompileProfile) {
  auto use_of = [](std::string_view text) {
    ElfBuilder elf;
    if (!text.empty())
      elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x400300,
                      ElfBuilder::note("ProdPGO", 1, std::string(text)));
    const std::vector<uint8_t> file = elf.finish();
    return find_compile_profile_use(ElfImage::parse(file, "prog").value());
  };
  EXPECT_EQ(use_of(kNote), CompileProfileUse::kUsed);
  EXPECT_EQ(use_of(""), CompileProfileUse::kUnknown);
  EXPECT_EQ(use_of(R"({"tool":"ProdPGO 0.1.0"})"), CompileProfileUse::kUnknown);
  EXPECT_EQ(use_of("[12]"), CompileProfileUse::kUnknown);
}

}  // namespace
}  // namespace pgo::profile_note_test
