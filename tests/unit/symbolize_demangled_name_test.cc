#include "pgo/symbolize/demangled_name.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

TEST(DemangledName, IsThatOfPeople) {
  EXPECT_EQ(demangled_name("_Z3foov"), "foo()");
  EXPECT_EQ(demangled_name("_ZL3foov/1"), "foo()/1");
  EXPECT_EQ(demangled_name("main"), "main");
}

TEST(DemangledName, HasASimpleForm) {
  auto simple = [](const std::string& mangled) { return simple_name(demangled_name(mangled)); };
  EXPECT_EQ(simple("main"), "main");
  EXPECT_EQ(simple("_Z3foov"), "foo");
  EXPECT_EQ(simple("_ZNK2ns4list4pushIcEEvT_"), "ns::list::push");
  EXPECT_EQ(simple("_ZNSt6vectorIiSaIiEE9push_backEOi"), "std::vector::push_back");
  EXPECT_EQ(simple("_ZN12_GLOBAL__N_13fooEi"), "(anonymous namespace)::foo");
  EXPECT_EQ(simple("_ZNK1AclEi"), "A::operator()");
  EXPECT_EQ(simple("_ZN1AlsEi"), "A::operator<<");
  EXPECT_EQ(simple("_ZN1AcvmEv"), "A::operator unsigned long");
  EXPECT_EQ(simple("_Znwm"), "operator new");
  EXPECT_EQ(simple("_ZZ3fooiENKUliE_clEi"), "foo::'lambda'::operator()");
  EXPECT_EQ(simple("_ZZ3fooiE1x"), "foo::x");
}

TEST(DemangledName, IsSimpleAlreadyWhereToolsShortenedIt) {
  for (const char* name : {"ns::list::push", "(anonymous namespace)::foo", "A::operator()",
                           "A::operator<<", "A::operator unsigned long", "operator new", "f"})
    EXPECT_EQ(simple_name(name), name);
  EXPECT_EQ(simple_name("ns::list<int>::push<char>"), "ns::list::push");
}

}  // namespace
}  // namespace pgo
