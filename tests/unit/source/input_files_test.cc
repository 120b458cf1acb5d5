#include "pgo/source/input_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "tests/data/temporary_files.h"

namespace pgo::input_files_test {
namespace {

namespace fs = std::filesystem;

class InputFilesTest : public test::TemporaryFiles {
 protected:
  using TemporaryFiles::write;
  std::string write(const std::string& name) const { return write(name, "text"); }
  // "+path" for what was named before, and "path" for the rest, without the directory.
  std::vector<std::string> find(const std::vector<std::string>& arguments) const {
    Result<std::vector<InputFile>> found = find_input_files(arguments);
    if (!found) return {found.error().message};
    std::vector<std::string> names;
    for (const InputFile& file : *found)
      names.push_back((file.named_before ? "+" : "") +
                      fs::path(file.path).lexically_relative(path("")).string());
    return names;
  }
  Error error_of(const std::string& argument) const {
    Result<std::vector<InputFile>> found = find_input_files({argument});
    return found ? Error{} : found.error();
  }
};

using Names = std::vector<std::string>;

TEST_F(InputFilesTest, ADirectoryStandsForEveryFileOnce) {
  write("day1/b.perf");
  write("day1/a.perf");
  write("day1/.hidden");
  write("day1/.git/c.perf");
  fs::create_directory_symlink("day1", path("latest"));
  fs::create_symlink("a.perf", path("day1/newest.perf"));
  EXPECT_EQ(find({path("")}), (Names{"day1/a.perf", "day1/b.perf"}));
  // A link that is named is what it leads to.
  EXPECT_EQ(find({path("latest")}), (Names{"latest/a.perf", "latest/b.perf"}));
}

TEST_F(InputFilesTest, LinksInACircleAreNoMatter) {
  write("day1/a.perf");
  fs::create_directory_symlink("..", path("day1/up"));
  fs::create_symlink("loop", path("day1/loop"));
  EXPECT_EQ(find({path("")}), (Names{"day1/a.perf"}));
}

TEST_F(InputFilesTest, KnowsAFileThatIsNamedAgain) {
  std::string a = write("a.perf");
  fs::create_symlink("a.perf", path("link"));
  EXPECT_EQ(find({a, a}), (Names{"a.perf", "+a.perf"}));
  EXPECT_EQ(find({path("link"), a}), (Names{"a.perf", "+link"}));
  EXPECT_EQ(find({path(""), a}), (Names{"a.perf", "+a.perf"}));
}

TEST_F(InputFilesTest, ListsNameInputsAndLists) {
  std::string a = write("a.perf"), b = write("b.perf");
  std::string inner = write("inner", "# the second\r\n\r\n" + b + "\r\n");
  std::string outer = write("outer", "@" + inner + "\n" + a);
  EXPECT_EQ(find({"@" + outer}), (Names{"a.perf", "b.perf"}));
}

TEST_F(InputFilesTest, WhatAPatternMatchesIsAPath) {
  write("day1/a.perf");
  fs::create_symlink("gone", path("core*"));
  fs::create_symlink("gone", path("core[1]"));
  EXPECT_EQ(find({path("c*")}), (Names{"core*", "core[1]"}));
  EXPECT_EQ(find({path("day?")}), (Names{"day1/a.perf"}));
}

TEST_F(InputFilesTest, AFileThatAPatternMatchesIsNoList) {
  write("@list", "gone.perf\n");
  fs::path before = fs::current_path();
  fs::current_path(path(""));
  Result<std::vector<InputFile>> found = find_input_files({"?lis*"});
  fs::current_path(before);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().path, "@list");
}

// Names in standard input, which is `text` while find() runs.
class StandardInput {
 public:
  explicit StandardInput(const std::string& file) : before_(::dup(STDIN_FILENO)) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    ::dup2(fd, STDIN_FILENO);
    ::close(fd);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

TEST_F(InputFilesTest, StandardInputNamesInputs) {
  std::string a = write("a.perf"), b = write("b.perf");
  auto with = [&](const std::string& text, const std::vector<std::string>& arguments) {
    StandardInput input(write("names", text));
    return find(arguments);
  };
  EXPECT_EQ(with(b + "\n# one more\n" + a, {"@-"}), (Names{"a.perf", "b.perf"}));
  EXPECT_EQ(with(b + "\n", {a, "@-"}), (Names{"a.perf", "b.perf"}));
  EXPECT_EQ(with("", {"@-"}), (Names{"the list of inputs is empty"}));
  EXPECT_EQ(with(a + "\n", {"@-", "@-"}),
            (Names{"@-: is named twice, and standard input is read once"}));
  const Names both{"-: standard input is an input, and @- reads the names of inputs from it"};
  EXPECT_EQ(with(a + "\n", {"@-", "-"}), both);
  EXPECT_EQ(with(a + "\n-\n", {"@-"}), both);
}

TEST_F(InputFilesTest, SaysWhatIsWrongWithAList) {
  std::string loop = path("loop");
  write("loop", "@" + loop + "\n");
  EXPECT_EQ(error_of("@" + loop),
            (Error{ErrorKind::kInput, loop + ": lists are nested more than 8 deep"}));
  EXPECT_EQ(error_of("@" + path("none")),
            (Error{ErrorKind::kIo,
                   "list of inputs " + path("none") + ": cannot open: No such file or directory"}));
  fs::create_directory(path("directory"));
  EXPECT_EQ(error_of("@" + path("directory")),
            (Error{ErrorKind::kIo, "list of inputs " + path("directory") + ": is a directory"}));
  EXPECT_EQ(error_of("@/dev/zero"),
            (Error{ErrorKind::kInput, "/dev/zero: is not a list of inputs: it has a NUL byte"}));
  EXPECT_EQ(error_of("@" + write("empty", "# nothing\n")),
            (Error{ErrorKind::kUsage, "the list of inputs is empty"}));
}

// Each list names the next one twice.
TEST_F(InputFilesTest, ListsCannotStandForAnyNumberOfFiles) {
  std::string inner = write("a.perf");
  for (int i = 0; i < 6; i++)
    inner = "@" + write("list" + std::to_string(i), inner + "\n" + inner + "\n");
  auto error = [&](const InputLimits& limits) {
    Result<std::vector<InputFile>> found = find_input_files({inner}, limits);
    return found ? std::to_string(found->size()) + " files" : found.error().message;
  };
  EXPECT_EQ(error({}), "64 files");
  EXPECT_EQ(error({.inputs = 63}), path("a.perf") + ": there are more than 63 inputs");
  EXPECT_EQ(error({.lists = 62}), path("list0") + ": there are more than 62 lists of inputs");
  EXPECT_EQ(error({.inputs = 64, .lists = 63}), "64 files");
  write("b.perf");
  fs::create_directory(path("lists"));
  for (int i = 0; i < 6; i++)
    fs::rename(path("list" + std::to_string(i)), path("lists/" + std::to_string(i)));
  Result<std::vector<InputFile>> found = find_input_files({path("lists")}, {.inputs = 5});
  EXPECT_EQ(found.error().message, path("lists/5") + ": there are more than 5 inputs");
}

TEST_F(InputFilesTest, SaysWhenNothingIsThere) {
  fs::create_directory(path("directory"));
  EXPECT_EQ(error_of(path("directory")),
            (Error{ErrorKind::kInput, path("directory") + ": no file in this directory"}));
  EXPECT_EQ(error_of(path("*.perf")),
            (Error{ErrorKind::kInput, path("*.perf") + ": no file matches this pattern"}));
}

TEST_F(InputFilesTest, SaysWhyADirectoryCannotBeListed) {
  fs::create_directory(path("directory"));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  Error error = error_of(path("directory"));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(error,
            (Error{ErrorKind::kIo, path("directory") + ": cannot list: Too many open files"}));
}

TEST(SkipIfFound, WhatWasFoundInADirectoryByKind) {
  auto kind_of = [](ErrorKind error) {
    Diagnostics said;
    if (!skip_if_found({.path = "d/a", .from_directory = true}, {error, "d/a: is no good"}, said))
      return std::string();
    EXPECT_EQ(name_unreadable(said), "; skipped: d/a: is no good");
    return said.entries().begin()->first;
  };
  EXPECT_EQ(kind_of(ErrorKind::kInput), "damaged-input");
  // Not closed to the reader: the system failed, and another time the file would count.
  EXPECT_EQ(kind_of(ErrorKind::kIo), "");
  EXPECT_EQ(kind_of(ErrorKind::kEmpty), "unsupported-input");
  // Of a version that is not read: without it another profile would be made.
  EXPECT_EQ(kind_of(ErrorKind::kUnsupported), "");
  EXPECT_EQ(kind_of(ErrorKind::kUsage), "");
  EXPECT_EQ(kind_of(ErrorKind::kMismatch), "");
}

TEST(PassOver, NothingThatWasNamed) {
  Diagnostics said;
  EXPECT_FALSE(skip_if_found({.path = "a"}, {ErrorKind::kInput, "a: is no good"}, said));
  EXPECT_TRUE(said.entries().empty());
}

TEST_F(InputFilesTest, MatchesThePatternsThatTheShellLeft) {
  write("2.perf");
  write("1.perf");
  write("other");
  EXPECT_EQ(find({path("*.perf")}), (Names{"1.perf", "2.perf"}));
  // A file of that very name comes first.
  write("[1].perf");
  EXPECT_EQ(find({path("[1].perf")}), (Names{"[1].perf"}));
}

}  // namespace
}  // namespace pgo::input_files_test
