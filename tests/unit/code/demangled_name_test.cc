#include "pgo/code/demangled_name.h"

#include <gtest/gtest.h>
#include <llvm/Demangle/Demangle.h>

namespace pgo::demangled_name_test {
namespace {

TEST(DemangledName, IsThatOfPeople) {
  EXPECT_EQ(demangled_name("_Z3foov"), "foo()");
  EXPECT_EQ(demangled_name("_ZL3foov/1"), "foo()/1");
  EXPECT_EQ(demangled_name("main"), "main");
}

TEST(DemangledName, IsOfRustAndDToo) {
  EXPECT_EQ(demangled_name("_RNvC1a3foo"), "a::foo");
  EXPECT_EQ(demangled_name("_RINvC1a1fTuuETB7_B7_EE"), "a::f::<((), ()), (((), ()), ((), ()))>");
  EXPECT_EQ(demangled_name("_D8demangle4testZ"), "demangle.test");
  // What begins like the names of other systems is none.
  for (const char* name : {"?f@@YAXXZ", ".text", "_", "_R", "_D", "_Z", "", "__Z3foov"})
    EXPECT_EQ(demangled_name(name), name);
}

// A position in base 62, as back references of Rust have it.
std::string base62(size_t value) {
  constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (value == 0) return "_";
  std::string text = "_";
  for (value--;; value /= 62) {
    text = kDigits[value % 62] + text;
    if (value < 62) return text;
  }
}

// Tuples, each of two references to the one before: the text doubles with each.
std::string doubling_in_rust(size_t times) {
  std::string name = "INvC1a1f";
  size_t before = name.size();
  name += "TuuE";
  for (size_t i = 0; i < times; i++) {
    std::string reference = "B" + base62(before);
    before = name.size();
    name += "T" + reference + reference + "E";
  }
  return "_R" + name + "E";
}

TEST(DemangledName, StaysMangledWhereItWouldBecomeTooLong) {
  std::string name = doubling_in_rust(5);
  EXPECT_EQ(demangled_name(name), llvm::demangle(name));
  name = doubling_in_rust(40);
  EXPECT_LT(name.size(), 400u);
  EXPECT_EQ(demangled_name(name), name);
  EXPECT_EQ(demangled_name("_ZL1f" + std::string(100'000, 'P') + "i/1"),
            "_ZL1f" + std::string(100'000, 'P') + "i/1");
  for (const char* begin : {"_RNvC1a4200", "_D4200"})
    EXPECT_EQ(demangled_name(begin + std::string(4200, 'x') + "v"),
              begin + std::string(4200, 'x') + "v");
}

// A type of Rust that refers to what is around it, between others that double.
TEST(DemangledName, StaysMangledWhereItRefersToItself) {
  EXPECT_EQ(demangled_name("_RINvC1a1fTB7_EE"), "_RINvC1a1fTB7_EE");
}

// LLVM reads back references of D up to a NUL; what follows the name here is no part of it.
TEST(DemangledName, EndsWhereTheViewEnds) {
  std::string_view text = "_D3fooQeZ and more";
  EXPECT_EQ(demangled_name(text.substr(0, 9)), "foo.foo");
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

TEST(DemangledName, KeepsWhatIsNoMangledName) {
  EXPECT_EQ(demangled_name("_Z3fooiPKc"), "foo(int, char const*)");
  EXPECT_EQ(demangled_name("_ZL3foov/1"), "foo()/1");
  EXPECT_EQ(demangled_name("main"), "main");
  EXPECT_EQ(demangled_name("reader.c/parse/2"), "reader.c/parse/2");
  EXPECT_EQ(demangled_name(""), "");
}

}  // namespace
}  // namespace pgo::demangled_name_test
