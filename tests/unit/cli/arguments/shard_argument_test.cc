#include "pgo/cli/arguments/shard_argument.h"

#include <gtest/gtest.h>

namespace pgo::shard_argument_test {
namespace {

TEST(ShardArgument, IsANumberOfANumber) {
  EXPECT_EQ(parse_shard("0/1").value(), (Shard{0, 1}));
  EXPECT_EQ(parse_shard("15/16").value(), (Shard{15, 16}));
  EXPECT_EQ(parse_shard("999999/1000000").value(), (Shard{999'999, 1'000'000}));
}

TEST(ShardArgument, SaysWhatIsWrong) {
  for (const char* text :
       {"3", "3/", "/16", "3/16/2", "-1/16", "3/ 16", "a/b", "99999999999999999999/16", ""})
    EXPECT_EQ(parse_shard(text).error().message,
              "--shard " + std::string(text) + ": two numbers expected, as in 3/16");
  EXPECT_EQ(parse_shard("16/16").error().message,
            "\xFF{shard} 16/16: shards are numbered from 0, so the last one is 15/16");
  EXPECT_EQ(parse_shard("0/0").error().message,
            "\xFF{shard} 0/0: there can be 1 to 1000000 shards");
  EXPECT_EQ(parse_shard("0/1000001").error().message,
            "\xFF{shard} 0/1000001: there can be 1 to 1000000 shards");
}

}  // namespace
}  // namespace pgo::shard_argument_test
