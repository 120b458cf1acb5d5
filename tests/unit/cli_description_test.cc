#include "pgo/cli/description.h"

#include <gtest/gtest.h>

#include "pgo/symbolize/demangled_name.h"

namespace pgo {
namespace {

TEST(Description, Sizes) {
  EXPECT_EQ(format_size(0), "0 bytes");
  EXPECT_EQ(format_size(999), "999 bytes");
  EXPECT_EQ(format_size(1000), "1.0 kB");
  EXPECT_EQ(format_size(999'949), "999.9 kB");
  EXPECT_EQ(format_size(999'950), "1.0 MB");
  EXPECT_EQ(format_size(903'000'000), "903.0 MB");
  EXPECT_EQ(format_size(~uint64_t{0}), "18446744.1 TB");
}

TEST(Description, Names) {
  EXPECT_EQ(demangled_name("_Z3fooiPKc"), "foo(int, char const*)");
  EXPECT_EQ(demangled_name("_ZL3foov/1"), "foo()/1");
  EXPECT_EQ(demangled_name("main"), "main");
  EXPECT_EQ(demangled_name("reader.c/parse/2"), "reader.c/parse/2");
  EXPECT_EQ(demangled_name(""), "");
}

}  // namespace
}  // namespace pgo
