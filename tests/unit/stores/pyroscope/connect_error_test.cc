#include "pgo/stores/pyroscope/connect_error.h"

#include <gtest/gtest.h>

namespace pgo::connect_error_test {
namespace {

std::string shown(int status, const std::string& body, const std::string& type = "text/plain") {
  net::HttpResponse response;
  response.status = status;
  response.body = body;
  response.headers["content-type"] = type;
  const Error error = pyroscope::pyroscope_error("p", response);
  return error.message + "; " + error.advice;
}

TEST(ConnectError, IsShownWithItsMessage) {
  EXPECT_EQ(shown(400, R"({"code":"invalid_argument","message":"bad\nquery"})"),
            "p: the server answered 400 (Bad Request): bad; ");
  EXPECT_EQ(
      shown(401, R"({"code":"unauthenticated","message":"no org id"})"),
      "p: the server answered 401 (Unauthorized): no org id; the server has tenants: name one "
      "with PRODPGO_PYROSCOPE_TENANT");
  EXPECT_EQ(
      shown(401, "no org id\n"),
      "p: the server answered 401 (Unauthorized): no org id; the server has tenants: name one "
      "with PRODPGO_PYROSCOPE_TENANT");
  EXPECT_EQ(shown(404, "404 page not found\n"),
            "p: the server answered 404 (Not Found): 404 page not found; check the URL: Pyroscope "
            "1.0 or later is expected there");
  EXPECT_EQ(shown(403, "<html>...", "text/html"),
            "p: the server answered 403 (Forbidden); check that these credentials may read this");
}

TEST(ConnectError, TellsWhatCanBeDone) {
  const auto parsed = [](const char* text) { return pyroscope::parse_connect_error(text); };
  EXPECT_TRUE(pyroscope::is_window_too_long(parsed(
      R"({"code":"invalid_argument","message":"the query time range exceeds the limit, 1"
})")));
  EXPECT_FALSE(pyroscope::is_window_too_long(parsed("{}")));
  EXPECT_TRUE(pyroscope::is_unknown_method(501, parsed("")));
  EXPECT_TRUE(pyroscope::is_unknown_method(404, parsed("404 page not found")));
  EXPECT_TRUE(pyroscope::is_unknown_method(404, parsed(R"({"code":"unimplemented"})")));
  EXPECT_FALSE(pyroscope::is_unknown_method(404, parsed(R"({"code":"not_found"})")));
  EXPECT_EQ(parsed("[1]").code, "");
  EXPECT_EQ(parsed(R"({"code":7,"message":[]})").message, "");
}

}  // namespace
}  // namespace pgo::connect_error_test
