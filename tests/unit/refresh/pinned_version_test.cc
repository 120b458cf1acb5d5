#include "pgo/refresh/pinned_version.h"

#include <filesystem>

#include "tests/unit/versions/versions_fixture.h"

namespace pgo::pinned_version_test {
namespace {

namespace fs = std::filesystem;

class PinnedVersionTest : public test::VersionsTest {
 protected:
  PinnedVersion pinned_version() {
    Diagnostics diagnostics;
    Result<PinnedVersion> pinned = PinnedVersion::read(
        path("pgo.lock"), "server", test::open_layout, path("cache"), diagnostics);
    EXPECT_TRUE(pinned && pinned->look_for_lost_parts());
    return pinned ? *std::move(pinned) : PinnedVersion();
  }
  // The names of those that can be read.
  static std::vector<std::string> names_of(const PinnedVersion& pinned,
                                           const std::vector<FileKind>& kinds) {
    const Result<std::vector<PulledFile>> files = pinned.files(kinds);
    if (!files) return {files.error().message};
    std::vector<std::string> names;
    for (const PulledFile& file : *files) names.push_back(file.file.name);
    return names;
  }
  void remove(const std::string& digest) const {
    fs::remove(path("p/blobs/sha256/" + digest.substr(7)));
  }

  static constexpr FileKind kLlvm = FileKind::kLlvm, kBolt = FileKind::kBolt,
                            kGeneration = FileKind::kGeneration;
};

using Names = std::vector<std::string>;

TEST_F(PinnedVersionTest, WithoutALockFileHasNothing) {
  const PinnedVersion pinned = pinned_version();
  EXPECT_FALSE(pinned.entry());
  EXPECT_FALSE(pinned.lost().is_any());
  EXPECT_EQ(names_of(pinned, {kLlvm}), Names());
  EXPECT_EQ(pinned.is_in(at("")).value(), false);
}

TEST_F(PinnedVersionTest, GivesWhatTheRegistryStillHas) {
  pushed({write("s.proftext", test::kLlvm), write("s.generation-1.proftext", test::kLlvm),
          write("s.fdata", test::kFdata)},
         "v1");
  const std::string manifest = pinned("server", at("v1")).entry.manifest;
  EXPECT_EQ(names_of(pinned_version(), {kLlvm, kGeneration}),
            (Names{"s.proftext", "s.generation-1.proftext"}));
  fs::remove_all(path("cache"));
  remove(test::digest_of(test::kFdata));
  PinnedVersion pinned = pinned_version();
  EXPECT_EQ(pinned.lost().first, "s.fdata of the pinned version " + manifest);
  EXPECT_EQ(names_of(pinned, {kLlvm, kBolt}), Names{"s.proftext"});
  EXPECT_EQ(pinned.can_push_again().value(), false);
  // The lock file names no generations.
  fs::remove_all(path("cache"));
  remove(manifest);
  EXPECT_EQ(names_of(pinned_version(), {kLlvm, kGeneration}), Names{"s.proftext"});
  // The cache has one of them by now.
  fs::remove_all(path("p"));
  pinned = pinned_version();
  EXPECT_EQ(pinned.lost().first, "the pinned version " + manifest);
  EXPECT_EQ(names_of(pinned, {kLlvm, kBolt}), Names{"s.proftext"});
}

TEST_F(PinnedVersionTest, KnowsWhereItIs) {
  push_day("2026-11-19", "v1");
  pinned("server", at("v1"));
  const PinnedVersion pinned = pinned_version();
  EXPECT_EQ(pinned.is_in(at("v2")).value(), true);
  EXPECT_EQ(pinned.is_in(at("v1", "other")).value(), false);
}

TEST_F(PinnedVersionTest, NamesLibraries) {
  PushRequest request;
  request.files.files = {write("s.fdata", test::kFdata), write("q.fdata", "1 q 0 1 q 4 0 7\n")};
  request.files.library_files = {path("q.fdata") + "=libq.so"};
  request.to = at("v1");
  request.open = test::open_layout;
  ASSERT_TRUE(push(request));
  pinned("server", at("v1"));
  EXPECT_EQ(pinned_version().libraries(kBolt), std::set<std::string>{"libq.so"});
  EXPECT_EQ(pinned_version().libraries(FileKind::kPrebolt), std::set<std::string>());
  EXPECT_EQ(pinned_version().find(kBolt, "libq.so")->name, "q.fdata");
}

}  // namespace
}  // namespace pgo::pinned_version_test
