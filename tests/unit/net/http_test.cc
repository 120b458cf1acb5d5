#include "pgo/net/http.h"

#include <gtest/gtest.h>

namespace pgo::http_test {
namespace {

TEST(HttpResponse, FindsAHeader) {
  const net::HttpResponse response{200, {{"content-type", "text/html"}}, ""};
  EXPECT_EQ(response.header("content-type"), "text/html");
}

TEST(HttpResponse, HasAnEmptyTextForAMissingHeader) {
  EXPECT_EQ(net::HttpResponse{}.header("etag"), "");
}

}  // namespace
}  // namespace pgo::http_test
