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

const std::string kId = "0102030405060708";  // test::kReleasedId

struct Written {
  bool has_symbols = true, is_executable = false;
};

class BoltBuildsTest : public test::TemporaryFiles {
 protected:
  std::string write_binary(const std::string& name, Written as = {}) {
    ElfBuilder builder;
    builder.add_code(0x1000, "\x90\xc3");
    builder.add_build_id(test::kReleasedId);
    if (as.is_executable)
      builder.add_section(".interp", SHT_PROGBITS, SHF_ALLOC, 0x3000, "/lib/ld.so");
    if (as.has_symbols) builder.add_symbol("main", STT_FUNC, 1, 0x1000, 2);
    return write(name, Bytes(builder.finish()));
  }
  // It has this file, and ran at this path.
  void add(const std::string& file, double share, const std::string& path) {
    FoundBuild build;
    build.files.id = *BuildId::from_hex(kId);
    build.files.executable = file;
    build.is_program = builds_.builds.empty();
    build.share = share;
    build.program_share = build.is_program ? share : 0;
    build.path = path;
    builds_.builds.push_back(std::move(build));
  }
  // "libq.so .3", of each that is chosen.
  std::vector<std::string> chosen(const PinnedBolt& pinned = {}) {
    diagnostics_ = Diagnostics();
    missing_.clear();
    const Result<BoltSelection> selection = choose_bolt_builds(builds_, pinned, diagnostics_);
    if (!selection) return {selection.error().message};
    for (const MissingBoltProfile& missing : selection->missing)
      missing_.push_back(missing.library + ": " + missing.reason);
    std::vector<std::string> libraries;
    for (const BoltChoice& choice : selection->chosen)
      libraries.push_back(choice.library + " of " + choice.build->path);
    return libraries;
  }
  std::vector<std::string> warnings(const std::string& kind) {
    const auto found = diagnostics_.entries().find(kind);
    return found == diagnostics_.entries().end() ? std::vector<std::string>()
                                                 : found->second.messages;
  }

  FoundBuilds builds_;
  Diagnostics diagnostics_;
  std::vector<std::string> missing_;
};

using Texts = std::vector<std::string>;

TEST_F(BoltBuildsTest, IsOfTheProgramAndOfLibrariesThatRanEnough) {
  const std::string file = write_binary("binary");
  add(file, .01, "/opt/q/queryd");
  add(file, .09, "/opt/q/libfew.so");
  add(file, .3, "/opt/q/libq.so.1.2");
  add(file, .2, "/opt/q/libold.so (deleted)");
  EXPECT_EQ(chosen(), (Texts{" of /opt/q/queryd", "libold.so of /opt/q/libold.so (deleted)",
                             "libq.so of /opt/q/libq.so.1.2"}));
  EXPECT_TRUE(diagnostics_.entries().empty());
  EXPECT_TRUE(missing_.empty());
}

// Two releases, as during a rollout: the BOLT profile is of the one that ran more.
TEST_F(BoltBuildsTest, AddsUpTheBuildsOfALibrary) {
  const std::string file = write_binary("binary");
  add(file, .8, "/opt/q/queryd");
  add(file, .05, "/opt/q/libq.so.1.1");
  add(file, .06, "/opt/q/libq.so.1.2");
  EXPECT_EQ(chosen(), (Texts{" of /opt/q/queryd", "libq.so of /opt/q/libq.so.1.2"}));
  EXPECT_TRUE(diagnostics_.entries().empty());
}

TEST_F(BoltBuildsTest, KeepsAPinnedLibraryUntilItHasHalfOfTheLimit) {
  const std::string file = write_binary("binary");
  const PinnedBolt pinned{.libraries = {"libq.so", "libr.so", "libgone.so"}};
  add(file, .8, "/opt/q/queryd");
  add(file, thresholds::kMinPinnedBoltShare, "/opt/q/libq.so");
  add(file, .049, "/opt/q/libr.so");
  EXPECT_EQ(chosen(pinned), (Texts{" of /opt/q/queryd", "libq.so of /opt/q/libq.so"}));
  EXPECT_EQ(missing_, (Texts{"libr.so: it has 4.9 % of the samples, and a library needs 5.0 %",
                             "libgone.so: no archived build of it was recorded"}));
  EXPECT_EQ(chosen(), Texts{" of /opt/q/queryd"});
  EXPECT_TRUE(missing_.empty()) << "they had none before";
}

TEST_F(BoltBuildsTest, WarnsOfLibrariesThatBuildsCouldNotFind) {
  const std::string file = write_binary("binary");
  add(file, .2, "/opt/q/queryd");
  add(file, .2, "/opt/q/lib q.so");
  add(file, .2, "");
  add(file, .09, "/opt/q/lib r.so");
  EXPECT_EQ(chosen(), Texts{" of /opt/q/queryd"});
  EXPECT_EQ(warnings("no-bolt-profile"),
            (Texts{"no BOLT profile of /opt/q/lib q.so (" + kId +
                       ") is pinned: builds find it by the file name of the library, which may "
                       "have only letters, digits, '_', '.', '-' and '+', at most 100 of them; "
                       "rename the library",
                   "no BOLT profile of build " + kId +
                       " is pinned: builds find it by the file name of the library, which the "
                       "recordings do not have"}));
}

TEST_F(BoltBuildsTest, SaysWhichOfTwoLibrariesOfOneNameItChose) {
  const std::string file = write_binary("binary");
  add(file, .2, "/opt/q/queryd");
  add(file, .3, "/opt/q/a/plugin.so");
  add(file, .2, "/opt/q/b/plugin.so");
  add(file, .009, "/opt/q/c/plugin.so");
  EXPECT_EQ(chosen(), (Texts{" of /opt/q/queryd", "plugin.so of /opt/q/a/plugin.so"}));
  EXPECT_EQ(warnings("same-library-name"),
            Texts{"two libraries are named plugin.so: the BOLT profile is of /opt/q/a/plugin.so (" +
                  kId + "), not of /opt/q/b/plugin.so (" + kId +
                  "); rename one, unless they are the same library"});
}

// A build would take it for a library. A library that can be run, as libc.so.6, is one.
TEST_F(BoltBuildsTest, IsOfNoOtherExecutable) {
  const std::string file = write_binary("binary"),
                    executable = write_binary("tool", {.is_executable = true});
  add(executable, .5, "/opt/q/queryd");
  add(executable, .2, "/opt/q/helper");
  add(executable, .2, "/opt/q/libc.so.6");
  EXPECT_EQ(chosen(), (Texts{" of /opt/q/queryd", "libc.so of /opt/q/libc.so.6"}));
  EXPECT_EQ(
      warnings("no-bolt-profile"),
      Texts{"no BOLT profile of /opt/q/helper (" + kId +
            ") is pinned: it is an executable, but the service's program is /opt/q/queryd (" + kId +
            "); make it a service of its own, or, if it should be this service's program, record "
            "it alone"});
}

TEST_F(BoltBuildsTest, IsOfNothingThatIsStripped) {
  const std::string stripped = write_binary("stripped", {.has_symbols = false});
  add(stripped, .5, "/opt/q/queryd");
  add(stripped, .3, "/opt/q/libq.so");
  EXPECT_EQ(chosen(), Texts());
  const std::string reason =
      "the build " + kId + " is stripped of its symbols; archive it before it is stripped";
  EXPECT_EQ(missing_, (Texts{": " + reason, "libq.so: " + reason}));
  // Another build of the library is not.
  add(write_binary("whole"), .1, "/opt/q/libq.so.2");
  EXPECT_EQ(chosen(), Texts{"libq.so of /opt/q/libq.so.2"});
  EXPECT_EQ(missing_, Texts{": " + reason});
}

TEST(MissingBoltProfile, SaysWhatWasPinned) {
  MissingBoltProfile missing;
  missing.reason = "it is thin";
  EXPECT_EQ(describe_missing_bolt_profile(missing),
            "no BOLT profile of the program is pinned: it is thin");
  missing.library = "libq.so";
  missing.was_pinned = true;
  EXPECT_EQ(describe_missing_bolt_profile(missing),
            "no BOLT profile of libq.so is pinned any more: it is thin");
}

TEST_F(BoltBuildsTest, HasTheRecordedBuildOfEachBinary) {
  const std::string made_with = "sha256:aa";
  std::vector<BoltProfile> profiles = {
      {.build = "01", .input = write_binary("a"), .built_with = made_with},
      {.library = "libq.so", .build = "02", .input = write_binary("b"), .built_with = made_with},
      {.library = "libr.so", .build = "03", .input = write_binary("c")},
      {.library = "libs.so",
       .build = "04",
       .input = write("d", Bytes(test::elf_of({.bolted = true}))),
       .built_with = made_with}};
  Diagnostics diagnostics;
  ASSERT_TRUE(write_recorded_builds(directory(), "queryd", true, profiles, diagnostics));
  EXPECT_EQ(relative(profiles[0].prebolt->path), "queryd.prebolt");
  EXPECT_EQ(relative(profiles[1].prebolt->path), "queryd.libq.so.prebolt");
  EXPECT_FALSE(profiles[2].prebolt) << "it was made without a compile profile";
  EXPECT_FALSE(profiles[3].prebolt);
  EXPECT_EQ(diagnostics.entries().at("no-recorded-build").messages,
            std::vector<std::string>{
                "the recorded build 04 (libs.so) is not pinned: llvm-bolt made it, and llvm-bolt's "
                "input is not archived with it; builds of changed sources will use less of the "
                "BOLT profile"});
}

TEST(BoltFileStem, NamesTheLibrary) {
  EXPECT_EQ(bolt_file_stem("queryd", ""), "queryd");
  EXPECT_EQ(bolt_file_stem("queryd", "libquery.so"), "queryd.libquery.so");
}

}  // namespace
}  // namespace pgo::bolt_profile_test
