#include "pgo/refresh/bolt_profile.h"

#include <gtest/gtest.h>

#include "pgo/profile/thresholds.h"
#include "tests/data/elf_builder.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::bolt_profile_test {
namespace {

BoltChoice choice(const std::string& build, double share, const std::string& built_with,
                  const std::string& library = "") {
  BoltChoice one;
  one.build_id = build;
  one.share = share;
  one.built_with = built_with;
  one.library = library;
  return one;
}

// "a", or "a, b of liba.so".
std::string chosen(const std::vector<BoltChoice>& choices, const std::string& pinned) {
  std::string text;
  for (const BoltChoice& one : choose_for_bolt(choices, pinned))
    text += (text.empty() ? "" : ", ") + one.build_id +
            (one.library.empty() ? "" : " of " + one.library);
  return text;
}

TEST(ChooseForBolt, PrefersTheBuildOfThePinnedProfileIfItRanEnough) {
  const std::vector<BoltChoice> choices = {choice("a", .8, "sha256:old"),
                                           choice("b", thresholds::kMinBoltShare, "sha256:new"),
                                           choice("c", .09, "sha256:newest")};
  EXPECT_EQ(chosen(choices, "sha256:new"), "b");
  EXPECT_EQ(chosen(choices, "sha256:newest"), "a");
  EXPECT_EQ(chosen(choices, "sha256:unknown"), "a");
  EXPECT_EQ(chosen({}, "sha256:new"), "");
  // Without a pinned profile, a build without a note is none of it.
  EXPECT_EQ(chosen({choice("a", .8, "sha256:old"), choice("b", .2, "")}, ""), "a");
}

TEST(ChooseForBolt, ChoosesForEachLibraryByItself) {
  const std::vector<BoltChoice> choices = {
      choice("a", .4, "sha256:old"), choice("b", .1, "sha256:new"), choice("x", .1, "", "libx.so"),
      choice("y", .2, "", "libx.so"), choice("z", .1, "sha256:new", "liba.so")};
  EXPECT_EQ(chosen(choices, "sha256:new"), "b, z of liba.so, y of libx.so");
  EXPECT_EQ(chosen(choices, ""), "a, z of liba.so, y of libx.so");
}

class BoltBuildsTest : public test::TemporaryFiles {
 protected:
  std::string write_binary(const std::string& name, bool has_symbols = true) {
    ElfBuilder builder;
    builder.add_code(0x1000, "\x90\xc3");
    builder.add_build_id(test::kReleasedId);
    if (has_symbols) builder.add_symbol("main", STT_FUNC, 1, 0x1000, 2);
    return write(name, Bytes(builder.finish()));
  }
};

// Neither has a library that hardly ran, nor one that no build could name.
TEST_F(BoltBuildsTest, IsOfTheProgramAndOfLibrariesThatRanEnough) {
  const std::string file = write_binary("binary");
  auto found = [&](double share, bool is_program, const std::string& path) {
    return FoundBuild{{.executable = file}, share, is_program, is_program ? share : 0, path};
  };
  FoundBuilds builds;
  Diagnostics diagnostics;
  builds.builds = {found(.01, true, "/opt/q/queryd"), found(.09, false, "/opt/q/libfew.so"),
                   found(.2, false, ""), found(.3, false, "/opt/q/libq.so.1.2")};
  const Result<std::vector<BoltChoice>> choices = choose_bolt_builds(builds, "", diagnostics);
  ASSERT_TRUE(choices) << choices.error().message;
  ASSERT_EQ(choices->size(), 2u);
  EXPECT_EQ((*choices)[0].library, "");
  EXPECT_EQ((*choices)[1].library, "libq.so");
  EXPECT_EQ((*choices)[1].share, .3);
  EXPECT_TRUE(diagnostics.entries().empty());
}

TEST_F(BoltBuildsTest, IsNotOfAStrippedLibrary) {
  FoundBuilds builds;
  builds.builds = {{{.executable = write_binary("a")}, .5, true, .5, "/opt/q/queryd"},
                   {{.executable = write_binary("b", false)}, .5, false, 0, "/opt/q/libq.so"}};
  Diagnostics diagnostics;
  const Result<std::vector<BoltChoice>> choices = choose_bolt_builds(builds, "", diagnostics);
  ASSERT_TRUE(choices) << choices.error().message;
  EXPECT_EQ(choices->size(), 1u);
  EXPECT_EQ(diagnostics.entries().at("no-bolt-profile").messages,
            std::vector<std::string>{"there is no BOLT profile of libq.so (" +
                                     std::string("0102030405060708") +
                                     "): it is stripped of its symbols; archive it before it is "
                                     "stripped"});
}

TEST_F(BoltBuildsTest, HasTheRecordedBuildOfEachBinary) {
  const std::string made_with = "sha256:aa";
  std::vector<BoltProfile> profiles = {
      {.build = "01", .input = write_binary("a"), .built_with = made_with},
      {.library = "libq.so", .build = "02", .input = write_binary("b"), .built_with = made_with},
      {.library = "libr.so", .build = "03", .input = write_binary("c")},
      {.library = "libs.so",
       .build = "04",
       .input = write_binary("d", false),
       .built_with = made_with}};
  Diagnostics diagnostics;
  ASSERT_TRUE(write_recorded_builds(directory(), "queryd", true, profiles, diagnostics));
  EXPECT_EQ(relative(profiles[0].prebolt->path), "queryd.prebolt");
  EXPECT_EQ(relative(profiles[1].prebolt->path), "queryd.libq.so.prebolt");
  EXPECT_FALSE(profiles[2].prebolt) << "it was made without a compile profile";
  EXPECT_FALSE(profiles[3].prebolt);
  EXPECT_EQ(diagnostics.entries().at("no-recorded-build").messages,
            std::vector<std::string>{
                "the recorded build 04 (libs.so) is not pinned: it is stripped of its symbols; "
                "builds of changed sources will use less of the BOLT profile"});
}

TEST(BoltFileStem, NamesTheLibrary) {
  EXPECT_EQ(bolt_file_stem("queryd", ""), "queryd");
  EXPECT_EQ(bolt_file_stem("queryd", "libquery.so"), "queryd.libquery.so");
}

}  // namespace
}  // namespace pgo::bolt_profile_test
