#include "pgo/diff/clone_suffix.h"

#include <gtest/gtest.h>

namespace pgo::clone_suffix_test {
namespace {

TEST(CloneSuffix, IsLeftOutWhoeverAppendedIt) {
  for (const char* name :
       {"f.cold", "f.cold.1", "f.part.0", "f.isra.0", "f.constprop.0", "f.lto_priv.12",
        "f.llvm.1234567890", "f.__uniq.42", "f.__uniq.42.llvm.7", "f.part.0.isra.3.cold",
        "f.localalias", "f/1", "f/1(*2)", "f.cold/3(*12)", "f.warm"})
    EXPECT_EQ(without_clone_suffixes(name, "/src/f.cc"), "f") << name;
  EXPECT_EQ(without_clone_suffixes("_Z1fv.resume"), "_Z1fv");
  EXPECT_EQ(without_clone_suffixes("main.cold"), "main");
}

// There a dot, or a slash and a number, is a part of names.
TEST(CloneSuffix, LeavesNamesOfOtherLanguagesAlone) {
  for (const char* name : {"main.(*T).cleanup", "main.(*T).resume", "main.cold", "net/http.part.0"})
    EXPECT_EQ(without_clone_suffixes(name, "/src/main.go"), name);
  EXPECT_EQ(without_clone_suffixes("lists:map/1"), "lists:map/1");
  EXPECT_EQ(without_clone_suffixes("Task.resume", "Task.java"), "Task.resume");
  EXPECT_EQ(without_clone_suffixes("main.(*T).cold"), "main.(*T).cold");
  EXPECT_EQ(without_clone_suffixes("task.resume"), "task.resume");
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
        "operator/", "f(*2)", "std::vector<int>::operator[]", "x/y", "f(int) (&)", "f.str"})
    EXPECT_EQ(without_clone_suffixes(name), name);
}

}  // namespace
}  // namespace pgo::clone_suffix_test
