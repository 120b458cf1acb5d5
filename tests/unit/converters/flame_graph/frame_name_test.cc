#include "converters/flame_graph/frame_name.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

TEST(FrameName, ScopesAreNamespacesAndPackages) {
  EXPECT_EQ(scope_of("ns::Map<int, a::b>::find(x::y)"), "ns::Map");
  EXPECT_EQ(scope_of("ns::f(int)"), "ns");
  EXPECT_EQ(scope_of("main"), "");
  EXPECT_EQ(scope_of("net/http.(*Server).Serve"), "net/http");
  EXPECT_EQ(scope_of("std::operator<<(std::ostream&)"), "std");
  EXPECT_EQ(scope_of("(anonymous namespace)::f()"), "(anonymous namespace)");
  EXPECT_EQ(scope_of("a::(anonymous namespace)::f(b::c)"), "a::(anonymous namespace)");
  EXPECT_EQ(scope_of(""), "");
}

TEST(FrameName, LastPartsAreFunctions) {
  EXPECT_EQ(last_part("ns::Map<int, a::b>::find(x::y) const"), "find");
  EXPECT_EQ(last_part("main"), "main");
  EXPECT_EQ(last_part("f(int)"), "f");
  EXPECT_EQ(last_part("net/http.(*Server).Serve"), "http.(*Server).Serve");
  EXPECT_EQ(last_part("a::operator()(int)"), "operator()(int)");
  EXPECT_EQ(last_part("a::(anonymous namespace)::f()"), "f");
  EXPECT_EQ(last_part("(broken"), "(broken");
  EXPECT_EQ(last_part("<<<::"), "<<<::");
  EXPECT_EQ(last_part(""), "");
}

}  // namespace
}  // namespace pgo
