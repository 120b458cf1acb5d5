#include "pgo/code/rust_name.h"

#include <gtest/gtest.h>

namespace pgo::rust_name_test {
namespace {

TEST(RustName, CostsItsCharactersAndThoseItRefersTo) {
  EXPECT_EQ(rust_name_cost("_RNvC1a3foo"), 9u);
  EXPECT_EQ(rust_name_cost("_RNvC1a3foo.llvm.1"), 9u);
  EXPECT_EQ(rust_name_cost("_RINvC1a1fTuuEE"), 13u);
  EXPECT_EQ(rust_name_cost("_RINvC1a1fTuuETB7_B7_EE"), 13u + 2 + 2 * (3 + 4));
  EXPECT_EQ(rust_name_cost("_RINvC1a1fRL_eDNtB4_1tEL_KbB_E"), std::nullopt) << "a constant of none";
  EXPECT_EQ(rust_name_cost("_RINvC1a1fKj1f_KB8_E"), 18u + 4);
  EXPECT_EQ(rust_name_cost("_RINvC1a1fFG1_KCuEuE"), 18u + 2);
}

TEST(RustName, HasNoneWhereItIsNotWhole) {
  for (const char* name : {"", "_R", "_RNv", "_RNvC1a", "_RC9a", "_RINvC1a1fu", "_ZN1a1fEv",
                           "_RC1axx", "_RINvC1a1fTBz_EE", "_RINvC1a1fTB7_EE"})
    EXPECT_EQ(rust_name_cost(name), std::nullopt) << name;
  EXPECT_EQ(rust_name_cost("_RINvC1a1f" + std::string(100'000, 'R') + "uE"), std::nullopt);
}

}  // namespace
}  // namespace pgo::rust_name_test
