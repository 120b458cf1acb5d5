#include "converters/flame_graph/frame_name.h"

#include <gtest/gtest.h>

namespace pgo::frame_name_test {
namespace {

TEST(FrameName, ScopesAreNamespacesAndPackages) {
  EXPECT_EQ(scope_of("ns::Map<int, a::b>::find(x::y)"), "ns::Map");
  EXPECT_EQ(scope_of("ns::f(int)"), "ns");
  EXPECT_EQ(scope_of("main"), "");
  EXPECT_EQ(scope_of("net/http.(*Server).Serve"), "net/http");
  EXPECT_EQ(scope_of("a.com/b.(*Map[c.com/d.Key]).Get"), "a.com/b");
  EXPECT_EQ(scope_of("ns::operator/(ns::Big const&, ns::Big const&)"), "ns");
  EXPECT_EQ(scope_of("operator/=(Big&, Big const&)"), "");
  EXPECT_EQ(scope_of("std::for_each<It, (lambda at /src/app/foo.cc:12:3)>(It, It)"), "std");
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
  EXPECT_EQ(last_part("a.com/b.(*Map[c.com/d.Key]).Get"), "b.(*Map[c.com/d.Key]).Get");
  EXPECT_EQ(last_part("ns::operator/(ns::Big const&)"), "operator/(ns::Big const&)");
  EXPECT_EQ(last_part("operator/(Big const&, Big const&)"), "operator/(Big const&, Big const&)");
  EXPECT_EQ(last_part("std::for_each<It, (lambda at /src/app/foo.cc:12:3)>(It, It)"),
            "for_each<It, (lambda at /src/app/foo.cc:12:3)>");
  EXPECT_EQ(last_part("dir/"), "dir/");
  EXPECT_EQ(last_part("foo::"), "foo::");
  EXPECT_EQ(last_part("(broken"), "(broken");
  EXPECT_EQ(last_part("<<<::"), "<<<::");
  EXPECT_EQ(last_part(""), "");
}

}  // namespace
}  // namespace pgo::frame_name_test
