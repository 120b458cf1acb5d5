#include "pgo/verdict/release_build.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/report/release_builds.h"
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

ReleaseBuild build_after(const std::string& path, const std::string& note) {
  ReleaseBuild build{.path = path, .on_side = {false, true}};
  if (!note.empty()) build.note = parse_profile_note(note);
  return build;
}

DiffResult costs_of(const std::vector<std::pair<std::string, double>>& binaries) {
  DiffResult comparison;
  for (const auto& [binary, cost] : binaries)
    comparison.rows.push_back({.key = {.binary = binary},
                               .flat = {.rate_b = cost, .estimate = {{}, {}}},
                               .cumulative = {.estimate = {{}, {}}}});
  return comparison;
}

constexpr const char* kOtherNote = R"({"name":"libraries","profile":"sha256:ef"})";

TEST_F(ReleaseBuilds, AreComparedWithTheProfileThatTheyWereBuiltWith) {
  const DiffResult comparison = costs_of({{"libengine.so", .8}, {"server", .1}, {"libc.so", .1}});
  const std::vector<ReleaseBuild> builds = {build_after("new/libengine.so", kOtherNote),
                                            build_after("new/libc.so", ""),
                                            build_after("new/server", kNote)};
  auto path_for = [&](const std::string& digest) {
    return build_of_profile(builds, comparison, digest)->path;
  };
  EXPECT_EQ(path_for("sha256:ab"), "new/server");
  EXPECT_EQ(path_for("sha256:ef"), "new/libengine.so");
  // Of no known profile: the largest that notes any.
  EXPECT_EQ(path_for("sha256:00"), "new/libengine.so");
  EXPECT_EQ(build_of_profile({}, comparison, "sha256:ab"), nullptr);

  Diagnostics diagnostics;
  warn_of_other_profile(builds, builds[2], {"server.prof", "sha256:ab"}, diagnostics);
  EXPECT_TRUE(diagnostics.entries().empty());
  warn_of_other_profile(builds, builds[0], {"x.prof", "sha256:00"}, diagnostics);
  EXPECT_EQ(diagnostics.entries().at("profile-not-noted").messages[0],
            "no binary of the after side has a note of x.prof: new/libengine.so was built with "
            "libraries, sha256:ef; new/libc.so has no note of a profile; new/server was built with "
            "checkout, sha256:ab; the profile is compared with new/libengine.so");
}

// A library that was only prepared for profiles hides no server.
TEST_F(ReleaseBuilds, AreTakenByCostWhereNoNoteHasAProfile) {
  const std::vector<ReleaseBuild> builds = {build_after("new/libengine.so", R"({"version":"1"})"),
                                            build_after("new/server", "")};
  ASSERT_TRUE(builds[0].note);
  const DiffResult comparison = costs_of({{"libengine.so", .2}, {"server", .8}});
  EXPECT_EQ(build_of_profile(builds, comparison, "sha256:ab"), &builds[1]);
}

TEST_F(ReleaseBuilds, AreTakenForTheProfilesWithoutAnyNote) {
  const std::vector<ReleaseBuild> builds = {build_after("new/server", "")};
  const ReleaseBuild* build = build_of_profile(builds, costs_of({{"server", 1}}), "sha256:ab");
  ASSERT_EQ(build, &builds[0]);
  Diagnostics diagnostics;
  warn_of_other_profile(builds, *build, {"x.prof", "sha256:ab"}, diagnostics);
  EXPECT_TRUE(diagnostics.entries().empty());
}

// libc needs no profile, so it has no row. The first release with a profile has one.
TEST_F(ReleaseBuilds, AreShownWhereANoteIsExpected) {
  VerifyResult result;
  result.builds = {{.path = "old/server", .on_side = {true, false}},
                   {.path = "libc.so.6", .on_side = {true, true}},
                   build_after("new/server", kNote)};
  const std::vector<Phrase> lines = build_lines(result);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text(), "before: old/server, 0 bytes of code, no note of a profile");
  EXPECT_TRUE(lines[1].text().starts_with("after: new/server, ")) << lines[1].text();
  EXPECT_EQ(builds_json(result)["builds"].size(), 3u);
  result.builds.pop_back();
  EXPECT_EQ(build_lines(result).size(), 2u);
}

}  // namespace
}  // namespace pgo::release_build_test
