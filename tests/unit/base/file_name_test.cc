#include "pgo/base/file_name.h"

#include <gtest/gtest.h>

namespace pgo::file_name_test {
namespace {

TEST(FileName, IsWhatFollowsTheLastSlash) {
  EXPECT_EQ(file_name("/srv/bin/server"), "server");
  EXPECT_EQ(file_name("server"), "server");
  EXPECT_EQ(file_name("/server"), "server");
  EXPECT_EQ(file_name("/srv/bin/"), "");
  EXPECT_EQ(file_name(""), "");
}

}  // namespace
}  // namespace pgo::file_name_test
