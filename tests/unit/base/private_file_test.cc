#include "pgo/base/private_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iterator>

#include "tests/data/temporary_files.h"

namespace pgo::private_file_test {
namespace {

constexpr int64_t kTime = 1'700'000'000'123'456'789;

class PrivateFileTest : public test::TemporaryFiles {
 protected:
  std::string contents(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(directory()), {}));
  }
};

TEST_F(PrivateFileTest, HasItsTimeAndIsForItsOwner) {
  const mode_t before = ::umask(0);
  write("profile", "old");
  const Result<void> written = write_private_file(path("profile"), "new", kTime);
  ::umask(before);
  ASSERT_TRUE(written) << text_of(written.error());
  struct stat status{};
  ASSERT_EQ(::stat(path("profile").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0600u);
  EXPECT_EQ(status.st_mtim.tv_sec, 1'700'000'000);
  EXPECT_EQ(status.st_mtim.tv_nsec, 123'456'789);
  EXPECT_EQ(contents("profile"), "new");
  EXPECT_EQ(files(), 1u);
}

// Another user may know the name before.
TEST_F(PrivateFileTest, ReplacesWhatIsThereAndNotWhatItLeadsTo) {
  write("theirs", "precious");
  std::filesystem::create_symlink(path("theirs"), path("profile"));
  ASSERT_TRUE(write_private_file(path("profile"), "mine", kTime));
  EXPECT_EQ(contents("theirs"), "precious");
  EXPECT_EQ(contents("profile"), "mine");
  EXPECT_FALSE(std::filesystem::is_symlink(path("profile")));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  ASSERT_TRUE(write_private_file(path("pipe"), "mine", kTime));
  EXPECT_EQ(contents("pipe"), "mine");
}

// The signal comes while the temporary file is there. Nothing else has to hold it back.
TEST_F(PrivateFileTest, IsCompletedWhenItsProcessIsAskedToEnd) {
  const std::string text(8 << 20, 'a');
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGTERM, SIG_DFL);
    (void)!write_private_file(path("profile"), text, kTime);
    for (;;) ::pause();
  }
  while (files() == 0) ::usleep(100);
  ::kill(child, SIGTERM);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(contents("profile").size(), text.size());
}

TEST_F(PrivateFileTest, LeavesNothingWhereItCannotBe) {
  std::filesystem::create_directory(path("profile"));
  write("profile/file", "");
  const Result<void> written = write_private_file(path("profile"), "new", kTime);
  ASSERT_FALSE(written);
  EXPECT_EQ(text_of(written.error()), "profile: cannot write: Is a directory; ");
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(text_of(write_private_file(path("none/profile"), "new", kTime).error()),
            "none/profile: the directory none does not exist; ");
}

}  // namespace
}  // namespace pgo::private_file_test
