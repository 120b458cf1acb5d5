#include "pgo/refresh/go_build.h"

#include <gtest/gtest.h>

namespace pgo::go_build_test {
namespace {

TEST(GoBuild, FirstLineNamesTheVersion) {
  EXPECT_EQ(go_version_in("bin/api: go1.22.3\n\tpath\tapi\n", "bin/api"), "go1.22.3");
  EXPECT_EQ(go_version_in("bin/api: go1.22.3 X:boringcrypto\n", "bin/api"), "go1.22.3");
  EXPECT_EQ(go_version_in("bin/api: go1.22.3", "bin/api"), "go1.22.3");
  EXPECT_EQ(go_version_in("", "bin/api"), "");
  EXPECT_EQ(go_version_in("other: go1.22.3\n", "bin/api"), "");
}

TEST(GoBuild, ProfilesTakeEffectFromGo121On) {
  for (const char* version : {"go1.21", "go1.21.0", "go1.22rc1", "go1.100", "go2.0", "devel"})
    EXPECT_TRUE(takes_profiles(version)) << version;
  for (const char* version : {"go1.20.14", "go1.9", "go1.", "gccgo", ""})
    EXPECT_FALSE(takes_profiles(version)) << version;
}

}  // namespace
}  // namespace pgo::go_build_test
