#include "pgo/diff/side_argument.h"

#include <gtest/gtest.h>

#include <fstream>

#include "pgo/base/temporary_directory.h"

namespace pgo::side_argument_test {
namespace {

TEST(SideArgument, HasConditionsBehindTheFirstHash) {
  Result<SideArgument> side = parse_side_argument("fleet/*.pb.gz#version=1.42,host=web-*");
  ASSERT_TRUE(side);
  EXPECT_EQ(*side, (SideArgument{"fleet/*.pb.gz", {{"version", "1.42"}, {"host", "web-*"}}}));
  EXPECT_EQ(*parse_side_argument("fleet/"), (SideArgument{"fleet/", {}}));
}

TEST(SideArgument, HasAnEscapeForHashes) {
  EXPECT_EQ(*parse_side_argument("a%23b.pb.gz#job=c%23"),
            (SideArgument{"a#b.pb.gz", {{"job", "c#"}}}));
}

TEST(SideArgument, IsAFileOfExactlyThatName) {
  TemporaryDirectory directory = *TemporaryDirectory::make();
  const std::string path = directory.file("a%23#version=1");
  std::ofstream(path) << "x";
  EXPECT_EQ(*parse_side_argument(path), (SideArgument{path, {}}));
  const std::string escaped = directory.file("a%23b");
  std::ofstream(escaped) << "x";
  EXPECT_EQ(*parse_side_argument(escaped), (SideArgument{escaped, {}}));
}

TEST(SideArgument, RefusesWhatIsNoCondition) {
  for (const char* argument : {"a#", "a#stable", "a#x=1,", "a#=1"})
    EXPECT_EQ(parse_side_argument(argument).error().kind, ErrorKind::kUsage) << argument;
  EXPECT_EQ(parse_side_argument("a#x=1,stable").error().message,
            "a#x=1,stable: 'stable' is not a condition; KEY=PATTERN is expected after '#', as in "
            "merged.pb.gz#version=1.42,host=web-*; write %23 for a '#' in a file name");
}

TEST(LabelCondition, MatchesAsAShellDoes) {
  EXPECT_TRUE((LabelCondition{"host", "web-*"}).holds("web-12"));
  EXPECT_TRUE((LabelCondition{"host", "web-[12]"}).holds("web-1"));
  EXPECT_FALSE((LabelCondition{"host", "web-?"}).holds("web-12"));
  EXPECT_FALSE((LabelCondition{"host", "web"}).holds("web-1"));
}

}  // namespace
}  // namespace pgo::side_argument_test
