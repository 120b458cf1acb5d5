// pin(): back to what was pinned before, wherever it was, and lock files behind symbolic links.
#include "pgo/versions/pin.h"

#include <gtest/gtest.h>

#include "pgo/versions/pull.h"
#include "pgo/versions/push.h"
#include "tests/data/layout_opener.h"
#include "tests/data/temporary_files.h"

namespace pgo::pin_test {
namespace {

namespace fs = std::filesystem;

class PinTest : public test::TemporaryFiles {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(directory());
  }
  void TearDown() override { fs::current_path(before_); }

  static RegistryReference at(const std::string& layout, const std::string& tag) {
    return {RegistryReference::Kind::kLayout, "", layout, tag, ""};
  }
  static std::string inputs_of(int count) {
    return "sha256:" + std::string(64, static_cast<char>('0' + count));
  }
  // Its digest.
  std::string push_to(const std::string& layout, const std::string& tag, int count) {
    PushRequest request;
    request.files.files = {
        write("s.proftext", "main:1000:10\n 1: " + std::to_string(count) + "\n")};
    request.files.inputs = inputs_of(count);
    request.to = at(layout, tag);
    request.open = test::open_layout;
    return push(request).value().digest;
  }
  static Result<PinResult> pin_in(const std::string& lock,
                                  std::optional<RegistryReference> reference) {
    return pin({"server", std::move(reference), lock, {}, test::open_layout});
  }
  Result<PullResult> pull_of(const std::string& lock) const {
    PullRequest request;
    request.lock = lock;
    request.open = test::open_layout;
    request.cache = path("cache");
    return pull(request);
  }

 private:
  fs::path before_;
};

TEST_F(PinTest, WarnsOfAVersionWithoutAProfile) {
  PushRequest request;
  request.files.files = {write("notes.md", "none yet\n")};
  request.to = at("old", "week-48");
  request.open = test::open_layout;
  ASSERT_TRUE(push(request));
  const PinResult pinned = pin_in("pgo.lock", at("old", "week-48")).value();
  EXPECT_EQ(pinned.diagnostics.entries().at("no-profile").messages,
            std::vector<std::string>{"oci-dir:old:week-48: has no profile that a build could use: "
                                     "push a version with one, and pin that"});
}

TEST_F(PinTest, GoesBackToWhereTheVersionWas) {
  const std::string old = push_to("old", "week-48", 1), recent = push_to("new", "week-49", 2);
  ASSERT_TRUE(pin_in("pgo.lock", at("old", "week-48")));
  const LockEntry forth = pin_in("pgo.lock", at("new", "week-49")).value().entry;
  EXPECT_EQ(forth.previous, old);
  EXPECT_EQ(forth.previous_reference, "oci-dir:old:week-48");
  EXPECT_EQ(forth.previous_inputs, inputs_of(1));
  const LockEntry back = pin_in("pgo.lock", std::nullopt).value().entry;
  EXPECT_EQ(back.manifest, old);
  EXPECT_EQ(back.reference, "oci-dir:old:week-48");
  EXPECT_EQ(back.previous, recent);
  EXPECT_EQ(back.previous_reference, "oci-dir:new:week-49");
  EXPECT_EQ(back.previous_inputs, inputs_of(2));
  // By another tag it is the same version, and what was before it stays.
  push_to("old", "stable", 1);
  const LockEntry again = pin_in("pgo.lock", at("old", "stable")).value().entry;
  EXPECT_EQ(again.reference, "oci-dir:old:stable");
  EXPECT_EQ(again.previous_reference, "oci-dir:new:week-49");
  EXPECT_EQ(again.previous_inputs, inputs_of(2));
}

TEST_F(PinTest, TakesBackNoPinThatWasMadeMeanwhile) {
  const std::string first = push_to("p", "week-48", 1), second = push_to("p", "week-49", 2);
  PinRequest request{"server", at("p", "week-49"), "pgo.lock", {}, test::open_layout, first};
  EXPECT_EQ(text_of(pin(request).error()),
            "pgo.lock: the pinned version of server changed meanwhile: it was " + first +
                ", and now it is none; run this again");
  EXPECT_FALSE(fs::exists("pgo.lock"));
  ASSERT_TRUE(pin_in("pgo.lock", at("p", "week-48")));
  EXPECT_EQ(pin(request).value().entry.manifest, second);
  request.expected = "";
  EXPECT_EQ(
      text_of(pin(request).error()),
      "pgo.lock: the pinned version of server changed meanwhile: it was none, and now it is " +
          second + "; run this again");
}

// A lock file that does not say where the version was.
TEST_F(PinTest, CallsThePreviousVersionByNoOtherTag) {
  const std::string old = push_to("p", "week-48", 1);
  push_to("p", "week-49", 2);
  ASSERT_TRUE(pin_in("pgo.lock", at("p", "week-48")));
  LockFile lock;
  lock.profiles["server"] = pin_in("pgo.lock", at("p", "week-49")).value().entry;
  lock.profiles["server"].previous_reference = "";
  write("pgo.lock", lock_file_text(lock));
  const LockEntry back = pin_in("pgo.lock", std::nullopt).value().entry;
  EXPECT_EQ(back.manifest, old);
  EXPECT_EQ(back.reference, "oci-dir:p");
}

TEST_F(PinTest, CountsFromTheLockFileBehindALink) {
  push_to("p", "v1", 1);
  fs::create_directories("repository/deep");
  fs::create_symlink("repository/deep/pgo.lock", "link.lock");
  EXPECT_EQ(pin_in("link.lock", at("p", "v1")).value().entry.reference, "oci-dir:../../p:v1");
  EXPECT_TRUE(fs::is_symlink("link.lock"));
  for (const char* lock : {"link.lock", "repository/deep/pgo.lock"}) {
    const Result<PullResult> pulled = pull_of(lock);
    EXPECT_TRUE(pulled) << text_of(pulled.error());
    fs::remove_all("cache");
  }
}

}  // namespace
}  // namespace pgo::pin_test
