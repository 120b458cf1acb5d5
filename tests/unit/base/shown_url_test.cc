#include "pgo/base/shown_url.h"

#include <gtest/gtest.h>

namespace pgo::shown_url_test {
namespace {

TEST(ShownUrl, HasNoUserAndPassword) {
  EXPECT_EQ(url_without_secrets("https://user:secret@host/path"), "https://host/path");
  EXPECT_EQ(url_without_secrets("https://user:se@cret@host:80"), "https://host:80");
  EXPECT_EQ(url_without_secrets("https://secret@host"), "https://host");
  EXPECT_EQ(url_without_secrets("s3://key:secret@bucket/a"), "s3://bucket/a");
  EXPECT_EQ(url_without_secrets("HTTPS://user:secret@Host"), "HTTPS://Host");
}

TEST(ShownUrl, HasNoPasswordThatShouldBeEncoded) {
  EXPECT_EQ(url_without_secrets("https://user:se/cret@host/path"), "https://host/path");
  EXPECT_EQ(url_without_secrets("https://user:se?cret@host/path"), "https://host/path");
  EXPECT_EQ(url_without_secrets("https://user:1?cret@host/path"), "https://host/path");
  EXPECT_EQ(url_without_secrets("https://user:1#cret@host"), "https://host");
  EXPECT_EQ(url_without_secrets("https://user:s@c:r/et@host/path"), "https://host/path");
}

TEST(ShownUrl, HasNoValuesAndNoFragment) {
  EXPECT_EQ(url_without_secrets("https://h/?token=secret&seconds=30&secret#secret"),
            "https://h/?token=...&seconds=...&...");
  EXPECT_EQ(url_without_secrets("https://h?a=secret=="), "https://h?a=...");
  EXPECT_EQ(url_without_secrets("https://h#secret"), "https://h");
  EXPECT_EQ(url_without_secrets("https://h?"), "https://h?");
  EXPECT_EQ(url_without_secrets("https://h/a?mail=me@host"), "https://h/a?mail=...");
}

TEST(ShownUrl, KeepsWhatIsNoSecret) {
  for (const char* text : {"s3://bucket/a@b", "s3://bucket/\xC3\xA9", "https://h1:1,h2:2/path@x",
                           "https://[::1]:80/a@b", "https://[::1]/a@b", "a/b", ""})
    EXPECT_EQ(url_without_secrets(text), text);
}

TEST(ShownUrl, NeedNotBeAUrl) {
  EXPECT_EQ(url_without_secrets("me:secret@web"), "web");
  EXPECT_EQ(url_without_secrets("me:secret@web/to/http://x"), "web/to/http://x");
  EXPECT_EQ(url_without_secrets("#\nx://b@c"), "c");
  EXPECT_EQ(url_without_secrets("a\x1b[31m\x7f\xff"), "a?[31m??");
}

}  // namespace
}  // namespace pgo::shown_url_test
