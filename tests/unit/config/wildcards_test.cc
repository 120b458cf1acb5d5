#include "pgo/config/wildcards.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::wildcards_test {
namespace {

TEST(Wildcards, MatchTheWholeText) {
  EXPECT_TRUE(matches_wildcards("", ""));
  EXPECT_TRUE(matches_wildcards("main", "main"));
  EXPECT_FALSE(matches_wildcards("main", "main2"));
  EXPECT_FALSE(matches_wildcards("main", "mai"));
  EXPECT_FALSE(matches_wildcards("", "a"));
}

TEST(Wildcards, AStarIsAnyText) {
  EXPECT_TRUE(matches_wildcards("*", ""));
  EXPECT_TRUE(matches_wildcards("leveldb::*", "leveldb::DBImpl::Get(int*)"));
  EXPECT_FALSE(matches_wildcards("leveldb::*", "my::leveldb::Get"));
  EXPECT_TRUE(matches_wildcards("*.c*", "a.b.cc"));
  EXPECT_TRUE(matches_wildcards("*ab*ab", "ababab"));
  EXPECT_FALSE(matches_wildcards("a*b", "acd"));
  EXPECT_TRUE(matches_wildcards("a**", "a"));
}

TEST(Wildcards, AQuestionMarkIsOneCharacter) {
  EXPECT_TRUE(matches_wildcards("a?c", "abc"));
  EXPECT_TRUE(matches_wildcards("a?c",
                                "a\xc3\xa9"
                                "c"));
  EXPECT_FALSE(matches_wildcards("a?c", "ac"));
  EXPECT_FALSE(matches_wildcards("a?", "a"));
}

TEST(Wildcards, BracketsAreThemselves) {
  EXPECT_TRUE(matches_wildcards("*::operator[](*)", "Map::operator[](int)"));
  EXPECT_FALSE(matches_wildcards("[a-z]", "b"));
}

// A matcher that tries all ways would not end.
TEST(Wildcards, TakeTimeInProportion) {
  std::string pattern;
  for (int i = 0; i < 50; i++) pattern += "*a";
  EXPECT_FALSE(matches_wildcards(pattern + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace pgo::wildcards_test
