#include "pgo/base/directory_lock.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::directory_lock_test {
namespace {

class DirectoryLockTest : public test::TemporaryFiles {};

TEST_F(DirectoryLockTest, IsHeldUntilItGoes) {
  const std::string directory = path(".");
  {
    const std::unique_ptr<UniqueFd> first = try_lock_directory(directory);
    ASSERT_TRUE(first);
    EXPECT_FALSE(try_lock_directory(directory));
  }
  EXPECT_TRUE(try_lock_directory(directory));
  EXPECT_TRUE(lock_directory(directory));
}

TEST_F(DirectoryLockTest, NeedsADirectory) {
  EXPECT_FALSE(try_lock_directory(path("missing")));
  EXPECT_FALSE(try_lock_directory(write("file", "")));
}

}  // namespace
}  // namespace pgo::directory_lock_test
