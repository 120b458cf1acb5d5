#include "pgo/source/source_address.h"

#include <gtest/gtest.h>

namespace pgo::source_address_test {
namespace {

TEST(SourceAddress, TellsSourcesFromFiles) {
  EXPECT_EQ(parse_source_address("dir:/srv/profiles"),
            (SourceAddress{"dir", "/srv/profiles", "dir:/srv/profiles"}));
  EXPECT_EQ(parse_source_address("oci-dir:p:week-48"),
            (SourceAddress{"oci-dir", "p:week-48", "oci-dir:p:week-48"}));
  EXPECT_EQ(parse_source_address("s3://bucket/a b"),
            (SourceAddress{"s3", "bucket/a b", "s3://bucket/a b"}));
  EXPECT_EQ(parse_source_address("pprof+https://u:p@h:6060/debug?seconds=30"),
            (SourceAddress{"pprof+https", "u:p@h:6060/debug?seconds=30",
                           "pprof+https://h:6060/debug?seconds=..."}));
  for (const char* text :
       {"a.data", "-", "@list", "*.pb", "/srv://x", "://x", "C://x", "3s://x", "", "dir", "s3:/x"})
    EXPECT_EQ(parse_source_address(text), std::nullopt) << text;
}

TEST(SourceAddress, TellsSlipsFromPaths) {
  for (const char* text : {"s3:/x", "oci:p/q", "OCI://host/p", "s3:", "a:b", "://x"})
    EXPECT_TRUE(looks_like_address(text)) << text;
  for (const char* text : {"builds", "/srv/builds", "./a:b", "a/b:c", "/a:b", ""})
    EXPECT_FALSE(looks_like_address(text)) << text;
}

}  // namespace
}  // namespace pgo::source_address_test
