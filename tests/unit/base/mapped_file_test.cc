#include "pgo/base/mapped_file.h"
#include "pgo/base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace pgo::mapped_file_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const MappedFile& file) { return std::string(as_text(file.bytes())); }

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

unsigned mode_of(const fs::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

// A directory of its own for each test, removed afterwards.
class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "prodpgo-test.XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  fs::path path(const std::string& name) const { return directory_ / name; }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name).string();
  }
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path directory_;
};

using WriteFileTest = MappedFileTest;

TEST_F(MappedFileTest, MapsARegularFile) {
  std::string name = write("a", std::string("one\0two", 7));
  Result<MappedFile> file = MappedFile::open(name);
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), std::string("one\0two", 7));
  EXPECT_EQ(file->path(), name);
}

TEST_F(MappedFileTest, OpensAnEmptyFile) {
  Result<MappedFile> file = MappedFile::open(write("empty", ""));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFileTest, ReadsFilesThatClaimToBeEmpty) {
  Result<MappedFile> file = MappedFile::open("/proc/self/comm");
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), read_file("/proc/self/comm"));
  EXPECT_FALSE(file->bytes().empty());
}

TEST_F(MappedFileTest, ReadsAPipeToItsEnd) {
  std::string name = path("pipe").string();
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  std::string sent(300'000, 'x');  // more than one buffer of the pipe or of the reader
  sent += "end";
  std::jthread writer([&] { std::ofstream(name, std::ios::binary) << sent; });
  Result<MappedFile> file = MappedFile::open(name);
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), sent);
}

TEST_F(MappedFileTest, WaitsForTheWriterOfANamedPipe) {
  std::string name = path("pipe").string();
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  Result<MappedFile> file = MappedFile::open(name, {.wait_for_writer = std::chrono::seconds(0)});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error(),
            (Error{ErrorKind::kIo,
                   name + ": is a named pipe, and no program opened it for writing within 0 "
                          "seconds"}));
  // A writer that writes nothing makes an empty file.
  std::jthread writer([&] { std::ofstream(name, std::ios::binary).close(); });
  Result<MappedFile> empty = MappedFile::open(name);
  ASSERT_TRUE(empty);
  EXPECT_EQ(text_of(*empty), "");
}

TEST_F(MappedFileTest, ReadsNoMoreOfADeviceThanItsKindTakes) {
  Result<MappedFile> file = MappedFile::open("/dev/zero", {.wants = [](Bytes start) {
                                               EXPECT_EQ(start.size(), kKindBytes);
                                               return start[0] != 0;
                                             }});
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), std::string(kKindBytes, '\0'));
  Result<MappedFile> endless = MappedFile::open("/dev/zero", {.limit = 1'000'000});
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error(),
            (Error{ErrorKind::kInput,
                   "/dev/zero: is not a regular file, and has more than the 1000000 bytes that are "
                   "held in memory; write it to a file first"}));
}

TEST_F(MappedFileTest, KeepsBytesInPlaceWhenMoved) {
  Result<MappedFile> mapped = MappedFile::open(write("a", "mapped"));
  Result<MappedFile> read = MappedFile::open("/proc/self/comm");
  ASSERT_TRUE(mapped && read);
  for (MappedFile* file : {&*mapped, &*read}) {
    const uint8_t* data = file->bytes().data();
    std::string text = text_of(*file);
    MappedFile moved = std::move(*file);
    EXPECT_EQ(moved.bytes().data(), data);
    EXPECT_EQ(text_of(moved), text);
    MappedFile assigned = *MappedFile::open(write("b", "other"));
    assigned = std::move(moved);
    EXPECT_EQ(assigned.bytes().data(), data);
    EXPECT_EQ(text_of(assigned), text);
  }
}

TEST_F(MappedFileTest, SaysWhyAFileCannotBeOpened) {
  Result<MappedFile> missing = MappedFile::open("/nonexistent/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(),
            (Error{ErrorKind::kIo, "/nonexistent/file: cannot open: No such file or directory"}));
  Result<MappedFile> directory = MappedFile::open("/");
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error(), (Error{ErrorKind::kIo, "/: is a directory"}));
}

TEST_F(WriteFileTest, WritesNewFilesAsTheUmaskSays) {
  mode_t mask = ::umask(027);
  EXPECT_TRUE(write_file_atomically(path("new").string(), "text"));
  ::umask(mask);
  EXPECT_EQ(read_file(path("new")), "text");
  EXPECT_EQ(mode_of(path("new")), 0640u);
  EXPECT_EQ(listing(), std::vector<std::string>{"new"});
}

TEST_F(WriteFileTest, ReplacesAFileAndKeepsItsPermissions) {
  std::string name = write("private", "old and longer");
  ASSERT_EQ(::chmod(name.c_str(), 0600), 0);
  Result<MappedFile> before = MappedFile::open(name);
  EXPECT_TRUE(write_file_atomically(name, "new"));
  EXPECT_EQ(read_file(name), "new");
  EXPECT_EQ(mode_of(name), 0600u);
  // Who has the old file open still sees it whole.
  ASSERT_TRUE(before);
  EXPECT_EQ(text_of(*before), "old and longer");
}

// As root, in a directory of root: what another user may not do, output_owner.sh tries.
TEST_F(WriteFileTest, ReplacesAFileAndKeepsItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of other users";
  std::string name = write("theirs", "old");
  ASSERT_EQ(::chown(name.c_str(), 1234, 2345), 0);
  ASSERT_EQ(::chmod(name.c_str(), 04640), 0);
  Result<AtomicFile> file = AtomicFile::write(name, "new");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->warning(), "");
  EXPECT_TRUE(file->commit());
  struct stat status{};
  ASSERT_EQ(::stat(name.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234u);
  EXPECT_EQ(status.st_gid, 2345u);
  EXPECT_EQ(status.st_mode & 07777, 04640u);
}

TEST_F(WriteFileTest, NewProgramsAreAsTheUmaskSays) {
  struct stat original{};
  ASSERT_EQ(::stat(write("original", "").c_str(), &original), 0);
  original.st_mode = S_IFREG | 06755;
  auto mode_of_new = [&] {
    fs::remove(path("new"));
    mode_t mask = ::umask(027);
    Result<AtomicFile> file = AtomicFile::write_program(path("new").string(), "text", original);
    ::umask(mask);
    EXPECT_TRUE(file && file->commit() && file->warning().empty());
    return mode_of(path("new"));
  };
  EXPECT_EQ(mode_of_new(), 06750u);
  original.st_uid++;
  EXPECT_EQ(mode_of_new(), 02750u);
  original.st_gid++;
  EXPECT_EQ(mode_of_new(), 0750u);
  original.st_mode = S_IFREG | 0555;
  EXPECT_EQ(mode_of_new(), 0550u);
}

TEST_F(WriteFileTest, ProgramsThatReplaceFilesCanBeRun) {
  struct stat original{};
  ASSERT_EQ(::stat("/bin/sh", &original), 0);
  for (auto [before, after] :
       {std::pair(0640u, 0750u), std::pair(0604u, 0705u), std::pair(0711u, 0711u)}) {
    std::string name = write("program", "old");
    ASSERT_EQ(::chmod(name.c_str(), before), 0);
    Result<AtomicFile> file = AtomicFile::write_program(name, "new", original);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(mode_of(file->temporary()), after);
    EXPECT_TRUE(file->commit());
    EXPECT_EQ(mode_of(name), after);
  }
}

TEST_F(WriteFileTest, ReplacesWhatALinkLeadsTo) {
  fs::create_directory(path("versions"));
  write("versions/one", "old");
  fs::create_symlink("versions/one", path("current"));
  EXPECT_TRUE(write_file_atomically(path("current").string(), "new"));
  EXPECT_TRUE(fs::is_symlink(path("current")));
  EXPECT_EQ(read_file(path("versions/one")), "new");
}

TEST_F(WriteFileTest, MakesWhatALinkIsToLeadTo) {
  fs::create_directory(path("versions"));
  fs::create_symlink("two", path("versions/one"));
  fs::create_symlink("versions/one", path("current"));
  EXPECT_TRUE(write_file_atomically(path("current").string(), "new"));
  EXPECT_TRUE(fs::is_symlink(path("current")));
  EXPECT_TRUE(fs::is_symlink(path("versions/one")));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("versions/two"))));
  EXPECT_EQ(read_file(path("versions/two")), "new");
}

TEST_F(WriteFileTest, RefusesLinksInACircle) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  Result<void> written = write_file_atomically(path("a").string(), "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(),
            (Error{ErrorKind::kIo,
                   path("a").string() + ": cannot write: Too many levels of symbolic links"}));
}

TEST_F(WriteFileTest, LeavesTheExistingFileWhenWritingFails) {
  std::string name = write("kept", "precious");
  // A file may not grow beyond 4 KiB now: like a full disk, in the middle of the writing.
  auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit tight = before;
  tight.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  Result<void> written = write_file_atomically(name, std::string(10'000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), (Error{ErrorKind::kIo, name + ": cannot write: File too large"}));
  EXPECT_EQ(read_file(name), "precious");
  EXPECT_EQ(listing(), std::vector<std::string>{"kept"});
}

TEST_F(WriteFileTest, SaysWhenTheDirectoryIsMissing) {
  Result<void> written = write_file_atomically("/nonexistent/file", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(
      written.error(),
      (Error{ErrorKind::kIo, "/nonexistent/file: the directory /nonexistent does not exist"}));
}

TEST_F(WriteFileTest, RefusesADirectory) {
  Result<void> written = write_file_atomically(directory_.string(), "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            directory_.string() + ": cannot open for writing: Is a directory");
}

// Root may write there by the permissions.
TEST_F(WriteFileTest, KnowsFileSystemsOfTheKernel) {
  const std::string expected = "/proc/x: no file can be created in /proc";
  EXPECT_EQ(AtomicFile::check_writable("/proc/x").error().message, expected);
  EXPECT_EQ(write_file_atomically("/proc/x", "text").error().message, expected);
}

TEST_F(WriteFileTest, AsksBeforehandWithoutTouchingAnything) {
  std::string directory = directory_.string();
  EXPECT_TRUE(AtomicFile::check_writable(directory + "/new"));
  EXPECT_TRUE(AtomicFile::check_writable("new"));
  EXPECT_TRUE(AtomicFile::check_writable("-"));
  EXPECT_TRUE(AtomicFile::check_writable("/dev/null"));
  fs::create_symlink("/nonexistent/file", path("astray"));
  EXPECT_EQ(AtomicFile::check_writable(path("astray").string()).error().message,
            path("astray").string() + ": the directory /nonexistent does not exist");
  EXPECT_EQ(
      AtomicFile::check_writable("/nonexistent/file").error(),
      (Error{ErrorKind::kIo, "/nonexistent/file: the directory /nonexistent does not exist"}));
  EXPECT_EQ(AtomicFile::check_writable(directory).error().message,
            directory + ": cannot open for writing: Is a directory");
  EXPECT_EQ(listing(), std::vector<std::string>{"astray"});
}

TEST_F(WriteFileTest, WritesToADeviceAndLeavesItThere) {
  struct stat before{}, after{};
  ASSERT_EQ(::stat("/dev/null", &before), 0);
  EXPECT_TRUE(write_file_atomically("/dev/null", "text"));
  ASSERT_EQ(::stat("/dev/null", &after), 0);
  EXPECT_TRUE(S_ISCHR(after.st_mode));
  EXPECT_EQ(before.st_ino, after.st_ino);
  Result<void> full = write_file_atomically("/dev/full", "text");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "/dev/full: cannot write: No space left on device");
}

TEST_F(WriteFileTest, DoesNotMindAForeignTemporaryFile) {
  std::string in_the_way = "out.tmp" + std::to_string(::getpid()) + ".0";
  write(in_the_way, "foreign");
  EXPECT_TRUE(write_file_atomically(path("out").string(), "text"));
  EXPECT_EQ(read_file(path("out")), "text");
  EXPECT_EQ(read_file(path(in_the_way)), "foreign");
}

}  // namespace
}  // namespace pgo::mapped_file_test
