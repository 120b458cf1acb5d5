#include "pgo/verdict/release_build.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::release_build_test {
namespace {

class ReleaseBuilds : public test::TemporaryFiles {
 protected:
  std::string write_build(const std::string& name, const std::string& id,
                          const std::string& note) const {
    ElfBuilder elf;
    elf.add_build_id(id);
    elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
                    std::string(300, '\x90'));
    if (!note.empty())
      elf.add_section(".note.prodpgo", SHT_NOTE, 0, 0, ElfBuilder::note("ProdPGO", 1, note));
    return write(name, elf.finish());
  }
  static BuildId id_of(const std::string& text) {
    return BuildId(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
};

constexpr const char* kNote =
    R"({"bolt":"sha256:cd","name":"checkout","profile":"sha256:ab","tool":"ProdPGO 0.1.0"})";

TEST_F(ReleaseBuilds, AreFoundByTheirBuildIds) {
  const std::string before = write_build("old/server", "11111111", kNote);
  const std::string after = write_build("new/server", "22222222", "");
  const std::string other = write_build("other", "33333333", "");
  DiffResult comparison;
  comparison.sides[0].builds = {id_of("11111111")};
  comparison.sides[1].builds = {id_of("22222222")};
  Result<std::vector<ReleaseBuild>> builds =
      find_builds({before, after, other, before}, comparison);
  ASSERT_TRUE(builds) << builds.error().message;
  ASSERT_EQ(builds->size(), 3u);
  EXPECT_EQ((*builds)[0].on_side, (std::array{true, false}));
  EXPECT_EQ((*builds)[1].on_side, (std::array{false, true}));
  EXPECT_EQ((*builds)[2].on_side, (std::array{false, false}));
  EXPECT_EQ((*builds)[0].note->name, "checkout");
  EXPECT_FALSE((*builds)[1].note);
  EXPECT_EQ((*builds)[0].code_size, 300u);

  Diagnostics diagnostics;
  warn_of_builds(*builds, diagnostics);
  ASSERT_EQ(diagnostics.entries().count("built-without-profile"), 1u);
  EXPECT_EQ(relative(diagnostics.entries().at("built-without-profile").messages[0]),
            "new/server was built without a profile, but old/server with checkout");
  EXPECT_EQ(relative(diagnostics.entries().at("built-without-bolt").messages[0]),
            "new/server was not optimized by BOLT, but old/server was");
}

TEST_F(ReleaseBuilds, HaveNothingToSayWhenBothHaveProfiles) {
  std::vector<ReleaseBuild> builds(2);
  builds[0] = {.path = "old/server", .note = parse_profile_note(kNote), .on_side = {true, false}};
  builds[1] = {.path = "new/server", .note = parse_profile_note(kNote), .on_side = {false, true}};
  Diagnostics diagnostics;
  warn_of_builds(builds, diagnostics);
  EXPECT_TRUE(diagnostics.entries().empty());
}

}  // namespace
}  // namespace pgo::release_build_test
