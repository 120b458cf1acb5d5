#include "pgo/diff/source_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "pgo/base/temporary_directory.h"

namespace pgo::source_text_test {
namespace {

class SourceTextTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& contents) const {
    std::filesystem::path path(root() + "/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << contents;
  }
  std::string root() const { return directory_.file("checkout"); }
  // Below the root; empty when there is none.
  std::string found(const std::string& path) const {
    SourceText sources({root()});
    const std::string& file = sources.find(path);
    return file.empty() ? "" : std::filesystem::relative(file, root()).string();
  }

  TemporaryDirectory directory_ = *TemporaryDirectory::make();
};

TEST_F(SourceTextTest, FindsTheLongestEndOfAPath) {
  write("src/engine.cc", "in src\n");
  write("engine.cc", "at the top\n");
  EXPECT_EQ(found("/build/job-7/src/engine.cc"), "src/engine.cc");
  EXPECT_EQ(found("/build/lib/engine.cc"), "engine.cc");
  EXPECT_EQ(found("src/./engine.cc"), "src/engine.cc");
  EXPECT_EQ(found("/build/src/table.cc"), "");
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("/"), "");
  EXPECT_EQ(found("src"), "");  // a directory
}

// A profile of others names whatever file it likes.
TEST_F(SourceTextTest, ReadsNothingOutsideOfTheDirectories) {
  write("src/engine.cc", "here\n");
  std::ofstream(directory_.file("secret.cc")) << "secret\n";
  EXPECT_EQ(found(directory_.file("secret.cc")), "");
  EXPECT_EQ(found("../secret.cc"), "");
  EXPECT_EQ(found("src/../../secret.cc"), "");
  EXPECT_EQ(found("/build/src/../src/engine.cc"), "src/engine.cc");
}

TEST_F(SourceTextTest, LooksInEachDirectory) {
  write("a/one.cc", "1\n");
  write("b/two.cc", "2\n");
  SourceText sources({root() + "/a", root() + "/b"});
  EXPECT_EQ(sources.line("/x/one.cc", 1), "1");
  EXPECT_EQ(sources.line("/x/two.cc", 1), "2");
}

TEST_F(SourceTextTest, GivesLines) {
  write("x.cc", "first\n\n\tthird\tend\r\nlast\x80 one");
  SourceText sources({root()});
  EXPECT_EQ(sources.last_line("x.cc"), 4);
  EXPECT_EQ(sources.line("x.cc", 1), "first");
  EXPECT_EQ(sources.line("x.cc", 2), "");
  EXPECT_EQ(sources.line("x.cc", 3), "    third   end");
  EXPECT_EQ(sources.line("x.cc", 4), "last? one");
  EXPECT_EQ(sources.line("x.cc", 5), "");
  EXPECT_EQ(sources.line("x.cc", 0), "");
  EXPECT_EQ(sources.line("x.cc", -1), "");
  EXPECT_EQ(sources.line("y.cc", 1), "");
  EXPECT_EQ(sources.last_line("y.cc"), 0);
}

TEST_F(SourceTextTest, DoesNotLookForPathsThatAreTooLong) {
  std::string deep;
  for (int i = 0; i < 20'000; i++) deep += "a/";
  EXPECT_EQ(found(deep + "x.cc"), "");
}

TEST_F(SourceTextTest, CutsLongLines) {
  write("x.cc", std::string(100000, 'x') + "\n");
  EXPECT_EQ(SourceText({root()}).line("x.cc", 1), std::string(160, 'x'));
}

}  // namespace
}  // namespace pgo::source_text_test
