#include "pgo/net/http_url.h"

#include <gtest/gtest.h>

namespace pgo::http_url_test {
namespace {

using net::HttpUrl;
using net::parse_http_url;

std::string error_of(std::string_view text) {
  Result<HttpUrl> url = parse_http_url(text);
  return url ? "parsed as " + url->text() : url.error().message;
}

TEST(HttpUrl, HasParts) {
  const HttpUrl url = parse_http_url("HTTPS://Web-1:6060/a/b%20c?seconds=30#top").value();
  EXPECT_EQ(url, (HttpUrl{"https", "web-1", 6060, "/a/b%20c", "seconds=30"}));
  EXPECT_EQ(url.origin(), "https://web-1:6060");
  EXPECT_EQ(url.shown(), "https://web-1:6060/a/b%20c");
  EXPECT_EQ(url.text(), "https://web-1:6060/a/b%20c?seconds=30");
}

TEST(HttpUrl, LeavesOutThePortOfTheScheme) {
  EXPECT_EQ(parse_http_url("http://web:80").value().text(), "http://web/");
  EXPECT_EQ(parse_http_url("https://web:443?a").value().text(), "https://web/?a");
  EXPECT_EQ(parse_http_url("https://web:80").value().origin(), "https://web:80");
}

TEST(HttpUrl, TakesAddressesOfIPv6) {
  const HttpUrl url = parse_http_url("http://[2001:DB8::1]:8080/x").value();
  EXPECT_EQ(url.host, "[2001:db8::1]");
  EXPECT_EQ(url.port, 8080);
  EXPECT_EQ(parse_http_url("http://[::1]").value().origin(), "http://[::1]");
  EXPECT_EQ(parse_http_url("http://[2001:0DB8:0:0::0001]").value().host, "[2001:db8::1]");
}

TEST(HttpUrl, KnowsThisMachine) {
  auto is_loopback = [](const std::string& host) {
    return parse_http_url("http://" + host).value().is_loopback();
  };
  for (const char* host : {"localhost", "LOCALHOST:80", "a.localhost", "127.0.0.1", "127.1:8080",
                           "[::1]:80", "[0:0:0:0:0:0:0:1]"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"127.example.com", "127.0.0.1.example.com", "localhost.example.com",
                           "xlocalhost", "10.0.0.1", "[::2]", "[127::1]"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(HttpUrl, RefusesUserAndPasswordWithoutShowingThem) {
  EXPECT_EQ(
      error_of("https://me:hunter2@web/x?token=abc"),
      "https://web/x?token=...: the URL contains a user or a password; put them into ~/.netrc");
  EXPECT_EQ(error_of("https://me:a/b@web/x?token=abc"),
            "https://web/x?token=...: the port of the URL is not a number from 1 to 65535");
}

TEST(HttpUrl, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("ftp://web/x?secret"), "ftp://web/x?...: is not an http: or https: URL");
  EXPECT_EQ(error_of("web/x"), "web/x: is not an http: or https: URL");
  EXPECT_EQ(error_of(""), ": is not an http: or https: URL");
  EXPECT_EQ(error_of("http://:80/"), "http://:80/: the URL has no valid host");
  EXPECT_EQ(error_of("http://a;b/"), "http://a;b/: the URL has no valid host");
  for (const char* host : {"[a]", "[]", "[1.2.3.4]", "[fe80::1%eth0]"})
    EXPECT_EQ(error_of("http://" + std::string(host) + "/"),
              "http://" + std::string(host) + "/: the URL has no valid host");
  for (const char* port : {"", "0", "65536", "8o", "-1"})
    EXPECT_EQ(error_of(std::string("http://web:") + port),
              std::string("http://web:") + port +
                  ": the port of the URL is not a number from 1 to 65535");
  for (const char* url : {"http://web/a b", "http://web/a\nb",
                          "http://web/a\xe4"
                          "b"})
    EXPECT_EQ(error_of(url).substr(16),
              "a URL has no spaces, control characters or letters outside of ASCII; percent-encode "
              "them");
}

TEST(HttpUrl, ShowsNoSecretOfWhatIsNoUrl) {
  EXPECT_EQ(error_of("http://me:p?w@c/d"),
            "http://c/d: the port of the URL is not a number from 1 to 65535");
}

}  // namespace
}  // namespace pgo::http_url_test
