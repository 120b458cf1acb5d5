#include "pgo/convert/output_plan.h"

#include <gtest/gtest.h>

namespace pgo::output_plan_test {
namespace {

TEST(OutputPlan, APathMayNameTheBinary) {
  EXPECT_EQ(path_for_binary("out/%b-%i.fdata", "/srv/bin/server", "0011aabb"),
            "out/server-0011aabb.fdata");
  EXPECT_EQ(path_for_binary("100%.fdata%", "server", ""), "100%.fdata%");
  EXPECT_EQ(path_for_binary("%b.fdata", "build/server.prebolt", ""), "server.fdata");
  EXPECT_TRUE(names_binary("x-%i"));
  EXPECT_TRUE(names_binary("%b/x"));
  EXPECT_FALSE(names_binary("100%"));
}

}  // namespace
}  // namespace pgo::output_plan_test
