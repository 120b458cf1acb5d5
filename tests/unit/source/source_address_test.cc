#include "pgo/source/source_address.h"

#include <gtest/gtest.h>

namespace pgo::source_address_test {
namespace {

TEST(SourceAddress, TellsSourcesFromFiles) {
  EXPECT_EQ(parse_source_address("dir:/srv/profiles"),
            (SourceAddress{"dir", "/srv/profiles", "dir:/srv/profiles"}));
  EXPECT_EQ(parse_source_address("s3://bucket/a b"),
            (SourceAddress{"s3", "bucket/a b", "s3://bucket/a b"}));
  EXPECT_EQ(parse_source_address("pprof+https://u:p@h:6060/debug?seconds=30"),
            (SourceAddress{"pprof+https", "u:p@h:6060/debug?seconds=30",
                           "pprof+https://h:6060/debug?seconds=..."}));
  for (const char* text :
       {"a.data", "-", "@list", "*.pb", "/srv://x", "://x", "C://x", "3s://x", "", "dir", "s3:/x"})
    EXPECT_EQ(parse_source_address(text), std::nullopt) << text;
}

TEST(SourceAddress, IsShownWithoutSecrets) {
  EXPECT_EQ(url_without_secrets("https://user:secret@host/path"), "https://host/path");
  EXPECT_EQ(url_without_secrets("https://user:se@cret@host:80"), "https://host:80");
  EXPECT_EQ(url_without_secrets("https://user:se/cret@host/path"), "https://host/path");
  EXPECT_EQ(url_without_secrets("https://secret@host"), "https://host");
  EXPECT_EQ(url_without_secrets("https://h/?token=secret&seconds=30&secret#secret"),
            "https://h/?token=...&seconds=...&...");
  EXPECT_EQ(url_without_secrets("https://h?a=secret=="), "https://h?a=...");
  EXPECT_EQ(url_without_secrets("https://h#secret"), "https://h");
  EXPECT_EQ(url_without_secrets("https://h?"), "https://h?");
}

TEST(SourceAddress, KeepsWhatIsNoSecret) {
  for (const char* text : {"s3://bucket/a@b", "https://h1:1,h2:2/path@x", "https://[::1]:80/a@b",
                           "https://[::1]/a@b", "dir:a@b?c=d", "a/b?c", ""})
    EXPECT_EQ(url_without_secrets(text), text);
}

}  // namespace
}  // namespace pgo::source_address_test
