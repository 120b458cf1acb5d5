#include "pgo/registry/library_name.h"

#include <gtest/gtest.h>

namespace pgo::library_name_test {
namespace {

TEST(LibraryName, StaysTheSameForTheNextRelease) {
  EXPECT_EQ(library_name("/opt/queryd/libquery.so"), "libquery.so");
  EXPECT_EQ(library_name("libquery.so.1"), "libquery.so");
  EXPECT_EQ(library_name("libquery.so.1.2.30"), "libquery.so");
  EXPECT_EQ(library_name("libquery-1.2.so"), "libquery-1.2.so");
  EXPECT_EQ(library_name("/opt/queryd/query.plugin2"), "query.plugin2");
  EXPECT_EQ(library_name("libc++abi.so.1"), "libc++abi.so");
}

TEST(LibraryName, IsAWordForNamesOfFiles) {
  for (const char* path :
       {"", "/opt/", "a b.so", "a\n.so", "a=b.so", "a;b.so", ".so", "..", "\xff.so"})
    EXPECT_EQ(library_name(path), "") << path;
  EXPECT_EQ(library_name(std::string(97, 'x') + ".so"), std::string(97, 'x') + ".so");
  EXPECT_EQ(library_name(std::string(98, 'x') + ".so"), "");
}

}  // namespace
}  // namespace pgo::library_name_test
