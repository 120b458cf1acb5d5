#include "pgo/base/temporary_directory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "pgo/base/atomic_file.h"

namespace pgo::temporary_directory_test {
namespace {

TEST(TemporaryDirectory, GoesAwayWithWhatIsInIt) {
  std::string path;
  {
    Result<TemporaryDirectory> made = TemporaryDirectory::make();
    ASSERT_TRUE(made.has_value()) << made.error().message;
    TemporaryDirectory directory = *std::move(made);
    path = directory.path();
    ASSERT_TRUE(write_file_atomically(directory.file("a"), "contents").has_value());
    EXPECT_TRUE(std::filesystem::exists(path + "/a"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryDirectory, CanBeBesideAFile) {
  Result<TemporaryDirectory> outer = TemporaryDirectory::make();
  ASSERT_TRUE(outer.has_value()) << outer.error().message;
  Result<TemporaryDirectory> made = TemporaryDirectory::make_beside(outer->file("target"));
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(std::filesystem::path(made->path()).parent_path(), outer->path());
  // Hidden from what reads all files there.
  EXPECT_EQ(std::filesystem::path(made->path()).stem(), ".target");
  Result<TemporaryDirectory> nowhere = TemporaryDirectory::make_beside("/nonexistent/target");
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(
      nowhere.error(),
      (Error{ErrorKind::kIo, "/nonexistent/target: the directory /nonexistent does not exist"}));
}

TEST(TemporaryDirectory, SaysWhereItCannotBeMade) {
  const char* before = std::getenv("TMPDIR");
  std::string kept = before != nullptr ? before : "/tmp";
  ::setenv("TMPDIR", "/nonexistent", 1);
  Result<TemporaryDirectory> made = TemporaryDirectory::make();
  ::setenv("TMPDIR", kept.c_str(), 1);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error(),
            (Error{ErrorKind::kIo,
                   "cannot make a directory in /nonexistent: No such file or directory: set "
                   "TMPDIR to another"}));
}

}  // namespace
}  // namespace pgo::temporary_directory_test
