#include "pgo/convert/output_plan.h"

#include <gtest/gtest.h>

namespace pgo::output_plan_test {
namespace {

TEST(OutputPlan, APathMayNameTheBinary) {
  EXPECT_EQ(binary_name("build/server.prebolt"), "server");
  EXPECT_EQ(binary_name("server"), "server");
  EXPECT_EQ(path_for_binary("out/%b-%i.fdata", "/srv/bin/server", "0011aabb"),
            "out/server-0011aabb.fdata");
  EXPECT_EQ(path_for_binary("100%.fdata%", "server", ""), "100%.fdata%");
  EXPECT_EQ(path_for_binary("%b.fdata", "build/server.prebolt", ""), "server.fdata");
  const std::string id = "838d2e3bb0a1b2c3838d2e3bb0a1b2c3838d2e3b";
  EXPECT_EQ(path_for_binary("%b.fdata", "builds/.build-id/83/" + id.substr(2), id), id + ".fdata");
  EXPECT_EQ(path_for_binary("%b.fdata", "cache/blobs/sha256/" + std::string(64, 'a'), id),
            id + ".fdata");
  EXPECT_EQ(path_for_binary("%b.fdata", "build/deadbeef", id), "deadbeef.fdata");
  EXPECT_TRUE(names_binary("x-%i"));
  EXPECT_TRUE(names_binary("%b/x"));
  EXPECT_FALSE(names_binary("100%"));
}

}  // namespace
}  // namespace pgo::output_plan_test
