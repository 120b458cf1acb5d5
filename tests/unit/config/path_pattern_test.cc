#include "pgo/config/path_pattern.h"

#include <gtest/gtest.h>

namespace pgo::path_pattern_test {
namespace {

bool matches(const std::string& pattern, const std::string& path) {
  Result<PathPattern> parsed = PathPattern::parse(pattern);
  EXPECT_TRUE(parsed) << pattern;
  return parsed && parsed->matches(split_path(path));
}

std::string error_of(const std::string& pattern) {
  Result<PathPattern> parsed = PathPattern::parse(pattern);
  return parsed ? "no error" : parsed.error().message;
}

TEST(PathPattern, WithoutASlashMatchesAtAnyDepth) {
  EXPECT_TRUE(matches("*", "a.cc"));
  EXPECT_TRUE(matches("*", "src/deep/a.cc"));
  EXPECT_TRUE(matches("*.cc", "src/deep/a.cc"));
  EXPECT_FALSE(matches("*.cc", "src/deep/a.h"));
  EXPECT_TRUE(matches("storage", "src/storage/deep/a.cc"));
  EXPECT_TRUE(matches("a.cc", "src/a.cc"));
  EXPECT_FALSE(matches("storage", "src/storage2/a.cc"));
}

TEST(PathPattern, MatchesFromAnyComponentOn) {
  for (const char* pattern : {"/src/storage", "src/storage", "/src/storage/", "src/storage/**"}) {
    EXPECT_TRUE(matches(pattern, "src/storage/a.cc")) << pattern;
    EXPECT_TRUE(matches(pattern, "/build/7/src/storage/deep/a.cc")) << pattern;
    EXPECT_TRUE(matches(pattern, "../src/./storage/a.cc")) << pattern;
    EXPECT_FALSE(matches(pattern, "/build/my-src/storage/a.cc")) << pattern;
    EXPECT_FALSE(matches(pattern, "/src/x/storage/a.cc")) << pattern;
  }
}

TEST(PathPattern, WithASlashAtItsEndIsADirectory) {
  EXPECT_TRUE(matches("notes/", "x/notes/a/b.md"));
  EXPECT_FALSE(matches("notes/", "x/notes"));
  EXPECT_TRUE(matches("notes", "x/notes"));
  EXPECT_FALSE(matches("notes/**", "x/notes"));
}

TEST(PathPattern, AStarAtItsEndIsNoDirectory) {
  EXPECT_TRUE(matches("notes/*", "notes/a.md"));
  EXPECT_FALSE(matches("notes/*", "notes/deep/a.md"));
  EXPECT_TRUE(matches("notes/*/", "notes/deep/a.md"));
  EXPECT_FALSE(matches("notes/*/", "notes/a.md"));
  EXPECT_FALSE(matches("notes/*.md", "notes/deep/a.md"));
}

TEST(PathPattern, TwoStarsAreAnyDirectories) {
  EXPECT_TRUE(matches("src/**/test", "src/test/a.cc"));
  EXPECT_TRUE(matches("src/**/test", "/x/src/a/b/test/a.cc"));
  EXPECT_FALSE(matches("src/**/test", "test/src/a.cc"));
  EXPECT_TRUE(matches("**/logs", "a/logs/b"));
  EXPECT_TRUE(matches("**", "a"));
  EXPECT_TRUE(matches("/**/**/a/**/**", "a/b"));
  EXPECT_TRUE(matches("src/a**", "src/abc/d.cc"));  // not a component of its own: as one
  EXPECT_FALSE(matches("src/**/a", "src"));
}

TEST(PathPattern, WildcardsMatchNoSlash) {
  EXPECT_FALSE(matches("src*a.cc", "src/a.cc"));
  EXPECT_FALSE(matches("src?a.cc", "src/a.cc"));
  EXPECT_TRUE(matches("s?c/a.*", "src/a.cc"));
}

TEST(PathPattern, RefusesWhatCodeownersDoesNotHave) {
  EXPECT_EQ(error_of("!a"), "begins with '!', but patterns cannot be negated");
  EXPECT_EQ(error_of("[ab].cc"), "has '[' or ']', but patterns have no ranges of characters");
  EXPECT_EQ(error_of(""), "names nothing");
  EXPECT_EQ(error_of("//"), "names nothing");
  EXPECT_EQ(error_of(std::string(1025, 'a')), "is longer than 1024 characters");
}

TEST(SplitPath, LeavesOutDots) {
  using Components = std::vector<std::string_view>;
  EXPECT_EQ(split_path("/a//b/./c.cc"), (Components{"a", "b", "c.cc"}));
  EXPECT_EQ(split_path("../../src/x/../c.cc"), (Components{"src", "c.cc"}));
  EXPECT_EQ(split_path(""), Components{});
  EXPECT_EQ(split_path("/.."), Components{});
}

TEST(SplitPath, KeepsTheLastComponents) {
  std::string path;
  for (int i = 0; i < 100; i++) path += "/" + std::to_string(i);
  EXPECT_EQ(split_path(path).size(), 63u);
  EXPECT_EQ(split_path(path).back(), "99");
  EXPECT_TRUE(matches("**/97/*/99", path));
  EXPECT_TRUE(matches("37/**/99", path));
  EXPECT_FALSE(matches("36", path));
}

}  // namespace
}  // namespace pgo::path_pattern_test
