#include "pgo/versions/lost_parts.h"

#include <filesystem>

#include "tests/unit/versions/versions_fixture.h"

namespace pgo::lost_parts_test {
namespace {

namespace fs = std::filesystem;

class LostVersionPartsTest : public test::VersionsTest {
 protected:
  void SetUp() override {
    place_.entry = (push_day("2026-11-19", "v1"), pinned("server", at("v1")).entry);
    place_.lock = path("pgo.lock");
    place_.name = "server";
    place_.open = test::open_layout;
    place_.cache = path("cache");
  }

  LostParts lost() {
    Result<LostParts> lost = find_lost_parts(place_);
    EXPECT_TRUE(lost) << text_of(lost.error());
    return lost ? *std::move(lost) : LostParts();
  }
  std::string blob(const std::string& digest) const {
    return path("p/blobs/sha256/" + digest.substr(7));
  }
  std::string profile() const { return place_.entry.files[0].digest; }
  std::string bundle_digest() { return test::digest_of(bundle("2026-11-19")); }
  bool can_push() {
    const Result<bool> can = can_push_again(lost(), place_);
    EXPECT_TRUE(can);
    return can && *can;
  }
  // Into the cache: only what builds use is pulled with a lock file.
  void pull_all() {
    PullRequest request = pull_request();
    request.from = at("v1");
    const Result<PullResult> pulled = pull(request);
    ASSERT_TRUE(pulled) << text_of(pulled.error());
  }
  std::string version() const { return "the pinned version " + place_.entry.manifest; }

  PinnedPlace place_;
};

TEST_F(LostVersionPartsTest, ThereAreNone) {
  const LostParts none = lost();
  EXPECT_FALSE(none.is_any());
  EXPECT_EQ(relative(none.repository), "oci-dir:p");
  EXPECT_FALSE(none.has_lost(place_.entry.files[0]));
}

TEST_F(LostVersionPartsTest, NameTheFirst) {
  fs::remove(blob(profile()));
  EXPECT_EQ(lost().first, "s.proftext of " + version());
  EXPECT_TRUE(lost().has_lost(place_.entry.files[0]));
  fs::remove(blob(place_.entry.manifest));
  EXPECT_EQ(lost().first, version());
}

// No build reads it, but `pgo copy` and `pgo pull` of the version fail without it.
TEST_F(LostVersionPartsTest, AreAlsoFilesThatTheLockFileDoesNotName) {
  fs::remove(blob(bundle_digest()));
  EXPECT_EQ(lost().first, "bundle.json of " + version());
  EXPECT_FALSE(lost().has_lost(place_.entry.files[0]));
  EXPECT_FALSE(can_push());
}

TEST_F(LostVersionPartsTest, AreDamagedFiles) {
  write("p/blobs/sha256/" + profile().substr(7), "main:1000:10\n 1: 100\n 2: 101\n");
  EXPECT_EQ(lost().first, "s.proftext of " + version());
  write("p/blobs/sha256/" + place_.entry.manifest.substr(7), "{}");
  EXPECT_EQ(lost().first, version());
}

TEST_F(LostVersionPartsTest, ArePushedAgainFromTheCache) {
  pull_all();
  EXPECT_FALSE(lost().is_any());  // the manifest is in the cache now
  for (const std::string& digest : {profile(), bundle_digest(), place_.entry.manifest}) {
    fs::remove(blob(digest));
    ASSERT_TRUE(can_push()) << digest;
    ASSERT_TRUE(push_again(lost(), place_));
    EXPECT_FALSE(lost().is_any()) << digest;
  }
  fs::remove_all(path("p"));
  EXPECT_EQ(lost().first, version());
  ASSERT_TRUE(can_push());
  ASSERT_TRUE(push_again(lost(), place_));
  EXPECT_FALSE(lost().is_any());
  EXPECT_EQ(
      test::open_layout(at(""), RegistryUse::kRead).value()->find_manifest("v1").value()->digest,
      place_.entry.manifest)
      << "with its tag";
}

TEST_F(LostVersionPartsTest, LeaveTheTagOfAnotherVersion) {
  pull_all();
  EXPECT_FALSE(lost().is_any());
  const std::string other = push_day("2026-11-26", "v1");
  fs::remove(blob(place_.entry.manifest));
  ASSERT_TRUE(push_again(lost(), place_));
  EXPECT_FALSE(lost().is_any());
  EXPECT_EQ(
      test::open_layout(at(""), RegistryUse::kRead).value()->find_manifest("v1").value()->digest,
      other);
}

// Without the manifest, nobody knows what was lost beside what the lock file names.
TEST_F(LostVersionPartsTest, CannotBePushedAgainWithoutTheManifest) {
  pull_all();
  fs::remove_all(path("p"));
  EXPECT_FALSE(can_push());
  EXPECT_TRUE(lost().has_lost(place_.entry.files[0]));
}

}  // namespace
}  // namespace pgo::lost_parts_test
