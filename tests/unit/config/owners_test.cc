#include "pgo/config/owners.h"

#include <gtest/gtest.h>

namespace pgo::owners_test {
namespace {

Owners from_codeowners(const std::string& text, Diagnostics& diagnostics) {
  Owners owners;
  owners.add_codeowners(text, "CODEOWNERS", diagnostics);
  return owners;
}

std::string team_by_codeowners(const std::string& text, const std::string& path) {
  Diagnostics diagnostics;
  return std::string(from_codeowners(text, diagnostics).team_of("f", path));
}

TEST(Owners, FunctionsWinOverPathsAndPathsOverCodeowners) {
  Owners owners;
  EXPECT_TRUE(owners.empty());
  ASSERT_TRUE(owners.add_function_pattern("leveldb::*", "by function"));
  ASSERT_TRUE(owners.add_path_pattern("/src/db/", "by path"));
  Diagnostics diagnostics;
  owners.add_codeowners("* @everything\n", "CODEOWNERS", diagnostics);
  EXPECT_FALSE(owners.empty());
  EXPECT_EQ(owners.team_of("leveldb::Get()", "/b/src/db/a.cc"), "by function");
  EXPECT_EQ(owners.team_of("main", "/b/src/db/a.cc"), "by path");
  EXPECT_EQ(owners.team_of("main", "/b/src/a.cc"), "@everything");
  EXPECT_EQ(owners.team_of("leveldb::Get()", ""), "by function");
  EXPECT_EQ(owners.team_of("main", ""), "");
}

TEST(Owners, TheLastPatternThatMatchesWins) {
  Owners owners;
  ASSERT_TRUE(owners.add_path_pattern("*", "first"));
  ASSERT_TRUE(owners.add_path_pattern("src", "second"));
  ASSERT_TRUE(owners.add_path_pattern("*.h", "third"));
  EXPECT_EQ(owners.team_of("f", "src/a.h"), "third");
  EXPECT_EQ(owners.team_of("f", "src/a.cc"), "second");
  EXPECT_EQ(owners.team_of("f", "a.cc"), "first");
  ASSERT_TRUE(owners.add_function_pattern("f*", "fs"));
  ASSERT_TRUE(owners.add_function_pattern("*", "all"));
  EXPECT_EQ(owners.team_of("f", ""), "all");
}

TEST(Owners, ReturnTypesOfTemplatesDoNotMatter) {
  Owners owners;
  ASSERT_TRUE(owners.add_function_pattern("leveldb::*", "storage"));
  EXPECT_EQ(owners.team_of("void leveldb::encode<int>(int)", ""), "storage");
  EXPECT_EQ(owners.team_of("std::map<int, long> const& leveldb::f<A, B>()", ""), "storage");
  EXPECT_EQ(owners.team_of("std::vector<int, leveldb::Allocator>::size()", ""), "");
  EXPECT_EQ(owners.team_of("f(int, leveldb::Slice)", ""), "");
}

TEST(Owners, OfCodeownersAreOneText) {
  EXPECT_EQ(team_by_codeowners("*.cc   @org/storage\t@alice  bob@example.com\r\n", "x/a.cc"),
            "@org/storage @alice bob@example.com");
}

TEST(Owners, OfCodeownersMayBeReset) {
  const std::string text = "/src/ @core\n/src/generated/\n";
  EXPECT_EQ(team_by_codeowners(text, "src/a.cc"), "@core");
  EXPECT_EQ(team_by_codeowners(text, "src/generated/a.cc"), "");
}

TEST(Owners, CodeownersHasCommentsAndSpaces) {
  const std::string text =
      "# all of it\n\n  * @all # not @others\n#src @nobody\nmy\\ dir/ @spaces\na#b @hash";
  EXPECT_EQ(team_by_codeowners(text, "src/a.cc"), "@all");
  EXPECT_EQ(team_by_codeowners(text, "my dir/a.cc"), "@spaces");
  EXPECT_EQ(team_by_codeowners(text, "x/a#b"), "@hash");
}

TEST(Owners, WarnsOfLinesThatGithubLeavesOut) {
  Diagnostics diagnostics;
  Owners owners = from_codeowners("* @all\n!src @core\n\n[ab].cc @ab\n", diagnostics);
  EXPECT_EQ(owners.team_of("f", "src/a.cc"), "@all");
  const Diagnostics::Entry& entry = diagnostics.entries().at("codeowners-pattern");
  EXPECT_EQ(entry.count, 2u);
  EXPECT_EQ(entry.messages[0],
            "CODEOWNERS:2: the line of '!src' is left out: its pattern begins with '!', but "
            "patterns cannot be negated");
}

TEST(Owners, RefuseWhatIsNoPattern) {
  Owners owners;
  EXPECT_EQ(owners.add_function_pattern("", "x").error().message, "names nothing");
  EXPECT_EQ(owners.add_function_pattern(std::string(1025, 'f'), "x").error().message,
            "is longer than 1024 characters");
  EXPECT_EQ(owners.add_path_pattern("/", "x").error().message, "names nothing");
  EXPECT_TRUE(owners.empty());
}

}  // namespace
}  // namespace pgo::owners_test
