#include "pgo/base/file_name.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

TEST(FileName, IsWhatFollowsTheLastSlash) {
  EXPECT_EQ(file_name("/srv/bin/server"), "server");
  EXPECT_EQ(file_name("server"), "server");
  EXPECT_EQ(file_name("/server"), "server");
  EXPECT_EQ(file_name("/srv/bin/"), "");
  EXPECT_EQ(file_name(""), "");
}

}  // namespace
}  // namespace pgo
