// pin(): lock files behind symbolic links.
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
  // Its digest.
  std::string push_to(const std::string& layout, const std::string& tag, int count) {
    PushRequest request;
    request.files.files = {
        write("s.proftext", "main:1000:10\n 1: " + std::to_string(count) + "\n")};
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
