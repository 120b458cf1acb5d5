#include "pgo/diff/side_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "pgo/base/temporary_directory.h"

namespace pgo::side_files_test {
namespace {

class SideFilesTest : public testing::Test {
 protected:
  SideFilesTest() {
    for (const char* name : {"a.pb", "b.pb", "more/c.pb"}) {
      std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
      std::ofstream(path(name)) << name;
    }
  }

  std::string path(const std::string& name) const { return directory_.file(name); }

  // "name#key=pattern,...|..." of each file, the arguments that name it separated by '|'; a '+' is
  // before what was only found in a directory.
  std::string files(std::vector<std::string> arguments) const {
    for (std::string& argument : arguments) argument = path(argument);
    Result<std::vector<SideFile>> found = find_side_files(arguments);
    if (!found) return "error: " + found.error().message.substr(path("").size());
    std::string text;
    for (const SideFile& file : *found) {
      text += (text.empty() ? "" : " ") + std::string(file.file.from_directory ? "+" : "") +
              file.file.path.substr(path("").size());
      for (const LabelConditions& conditions : file.alternatives) {
        text += &conditions == file.alternatives.data() ? "#" : "|";
        for (const LabelCondition& one : conditions)
          text += (&one == conditions.data() ? "" : ",") + one.key + "=" + one.pattern;
      }
    }
    return text;
  }

 private:
  TemporaryDirectory directory_ = *TemporaryDirectory::make();
};

TEST_F(SideFilesTest, AreSortedWhateverTheOrderOfTheArguments) {
  EXPECT_EQ(files({"b.pb", "a.pb#x=1"}), "a.pb#x=1 b.pb#");
  EXPECT_EQ(files({"a.pb#x=1", "b.pb"}), "a.pb#x=1 b.pb#");
}

TEST_F(SideFilesTest, AreEachOnceWithTheConditionsOfAllThatNameThem) {
  const std::string expected = "a.pb#|host=web-*,x=1 b.pb#host=web-*,x=1";
  EXPECT_EQ(files({"?.pb#host=web-*,x=1", "a.pb"}), expected);
  EXPECT_EQ(files({"a.pb", "?.pb#host=web-*,x=1"}), expected);
}

// By another path and through a link.
TEST_F(SideFilesTest, AreKnownByWhatTheyAreNotByTheirPaths) {
  EXPECT_EQ(files({"more/../a.pb#x=2", "a.pb#x=1"}), "a.pb#x=1|x=2");
  std::filesystem::create_symlink("a.pb", path("link.pb"));
  EXPECT_EQ(files({"link.pb", "a.pb"}), "a.pb#|");
}

TEST_F(SideFilesTest, AreNamedWhenOneArgumentNamesThem) {
  EXPECT_EQ(files({"more"}), "+more/c.pb#");
  EXPECT_EQ(files({"more", "more/c.pb"}), "more/c.pb#|");
  EXPECT_EQ(files({"more/c.pb", "more"}), "more/c.pb#|");
}

TEST_F(SideFilesTest, AreOfArgumentsThatCanBeRead) {
  EXPECT_EQ(files({"a.pb#stable"}).substr(0, 47),
            "error: a.pb#stable: 'stable' is not a condition");
  EXPECT_EQ(files({"nosuch*.pb"}), "error: nosuch*.pb: no file matches this pattern");
  EXPECT_TRUE(find_side_files({})->empty());
}

}  // namespace
}  // namespace pgo::side_files_test
