#include "pgo/diff/clone_suffix.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

TEST(CloneSuffix, IsLeftOutWhoeverAppendedIt) {
  for (const char* name :
       {"f.cold", "f.cold.1", "f.part.0", "f.isra.0", "f.constprop.0", "f.lto_priv.12",
        "f.llvm.1234567890", "f.__uniq.42", "f.__uniq.42.llvm.7", "f.part.0.isra.3.cold",
        "f.localalias", "f/1", "f/1(*2)", "f.cold/3(*12)", "f.warm", "f.resume", "f.destroy"})
    EXPECT_EQ(without_clone_suffixes(name), "f") << name;
}

TEST(CloneSuffix, IsLeftOutOfDemangledNames) {
  EXPECT_EQ(without_clone_suffixes("ns::f(int) [clone .cold]"), "ns::f(int)");
  EXPECT_EQ(without_clone_suffixes("ns::f(int) [clone .part.0] [clone .isra.1]"), "ns::f(int)");
  EXPECT_EQ(without_clone_suffixes("ns::f(int) (.cold)"), "ns::f(int)");
  EXPECT_EQ(without_clone_suffixes("ns::f(int) (.llvm.123)"), "ns::f(int)");
}

TEST(CloneSuffix, LeavesOtherNamesAlone) {
  for (const char* name :
       {"f", "", "main.main", "net/http.(*Server).Serve", "f.1", "cold", ".cold", "a.cold.b",
        "operator/", "f(*2)", "std::vector<int>::operator[]", "x/y", "f(int) (&)"})
    EXPECT_EQ(without_clone_suffixes(name), name);
}

}  // namespace
}  // namespace pgo
