#include "pgo/dwarf/static_names.h"

#include <gtest/gtest.h>

namespace pgo::static_names_test {
namespace {

TEST(StaticNames, KeepTheFirstOfSeveral) {
  StaticNames names;
  names.add("f.__uniq.2");
  names.add("f.__uniq.1");
  EXPECT_EQ(names.other_name("f"), "f.__uniq.1");
  EXPECT_EQ(names.other_name("f.__uniq.3"), "f.__uniq.1");
  EXPECT_EQ(names.other_name("f.__uniq.1"), "");
  EXPECT_EQ(names.other_name("g"), "");
  EXPECT_TRUE(names.has("f"));
  EXPECT_TRUE(names.has("f.__uniq.1"));
  EXPECT_FALSE(names.has("g"));
}

TEST(StaticNames, HaveAStemInCommon) {
  EXPECT_EQ(static_stem("f"), "f");
  EXPECT_EQ(static_stem("f.__uniq.123"), "f");
  EXPECT_EQ(static_stem("_ZL12compare_intsPKvS0_"), "compare_ints");
  EXPECT_EQ(static_stem("_ZL12compare_intsPKvS0_.__uniq.123"), "compare_ints");
  EXPECT_EQ(static_stem("_Z1fi"), "_Z1fi");
  EXPECT_EQ(static_stem("_ZL"), "_ZL");
  EXPECT_EQ(static_stem("_ZLx"), "_ZLx");
  EXPECT_EQ(static_stem("_ZL0"), "_ZL0");
  EXPECT_EQ(static_stem("_ZL9short"), "_ZL9short");
  EXPECT_EQ(static_stem("_ZL99999999999999999999x"), "_ZL99999999999999999999x");
  EXPECT_EQ(static_stem(""), "");
}

}  // namespace
}  // namespace pgo::static_names_test
