#include "pgo/net/http.h"

#include <gtest/gtest.h>

namespace pgo::http_test {
namespace {

using net::HttpResponse;

TEST(HttpResponse, FindsAHeader) {
  const HttpResponse response{200, {{"content-type", "text/html"}}, ""};
  EXPECT_EQ(response.header("content-type"), "text/html");
}

TEST(HttpResponse, HasAnEmptyTextForAMissingHeader) {
  EXPECT_EQ(HttpResponse{}.header("etag"), "");
}

TEST(HttpResponse, KnowsPagesForPeople) {
  EXPECT_TRUE((HttpResponse{200, {{"content-type", "text/html; charset=utf-8"}}, ""}).is_html());
  EXPECT_FALSE((HttpResponse{200, {{"content-type", "text/plain"}}, ""}).is_html());
  EXPECT_FALSE(HttpResponse{}.is_html());
}

TEST(StatusError, NamesTheObjectAndTheStatus) {
  const Error error = net::status_error("s3://b/k", {404, {}, ""});
  EXPECT_EQ(error, (Error{ErrorKind::kIo, "s3://b/k: the server answered 404 (Not Found)",
                          "check the path of the URL"}));
}

// A server of another kind never answers otherwise.
TEST(StatusError, DoubtsTheUrlWhereTheRequestIsNotKnown) {
  for (int status : {405, 501})
    EXPECT_EQ(net::status_error("parca+http://a", {status, {}, ""}).advice,
              "check the URL: its server does not know such requests");
}

TEST(StatusError, CountsTries) {
  EXPECT_EQ(net::status_error("s3://b/k", {503, {}, "", 5}).message,
            "s3://b/k: the server answered 503 (Service Unavailable) to each of 5 tries");
}

TEST(StatusError, ShowsTheFirstLineOfWhatTheServerSaid) {
  EXPECT_EQ(net::status_error("web-1", {418, {}, ""}, "\n  a \x1b[31mtea\tpot \nand more").message,
            "web-1: the server answered 418: a ?[31mtea?pot ");
  EXPECT_EQ(net::status_error("web-1", {418, {}, ""}, std::string(1000, 'a')).message,
            "web-1: the server answered 418: " + std::string(200, 'a'));
}

TEST(PageError, NamesTheObject) {
  EXPECT_EQ(net::page_error("web-1").message,
            "web-1: the server answered with an HTML page, such as a login page");
}

}  // namespace
}  // namespace pgo::http_test
