#include "pgo/store_access/store_credentials.h"

#include <gtest/gtest.h>

#include <map>

namespace pgo::store_credentials_test {
namespace {

// The header, or the error.
std::string header(std::map<std::string, std::string> variables) {
  const Result<std::string> made = store_access::authorization_of(
      "PRODPGO_X", [&](const std::string& name) { return variables["" + name]; });
  return made ? *made : made.error().message;
}

TEST(StoreCredentials, AreATokenOrAUserWithAPassword) {
  EXPECT_EQ(header({}), "");
  EXPECT_EQ(header({{"PRODPGO_X_TOKEN", "abc"}}), "Bearer abc");
  EXPECT_EQ(header({{"PRODPGO_X_USER", "me"}, {"PRODPGO_X_PASSWORD", "it"}}), "Basic bWU6aXQ=");
  const std::string message =
      "set PRODPGO_X_TOKEN, or both PRODPGO_X_USER and PRODPGO_X_PASSWORD, or none of them";
  EXPECT_EQ(header({{"PRODPGO_X_USER", "me"}}), message);
  EXPECT_EQ(header({{"PRODPGO_X_PASSWORD", "it"}}), message);
  EXPECT_EQ(
      header({{"PRODPGO_X_TOKEN", "abc"}, {"PRODPGO_X_USER", "me"}, {"PRODPGO_X_PASSWORD", "it"}}),
      message);
}

TEST(StoreCredentials, AreNotSentWhereOthersCouldReadThem) {
  const auto may = [](const std::string& url) {
    return store_access::check_may_authorize("PRODPGO_X", net::parse_http_url(url).value())
        .has_value();
  };
  EXPECT_TRUE(may("https://store"));
  EXPECT_TRUE(may("http://localhost:4040"));
  EXPECT_TRUE(may("http://127.0.0.1"));
  EXPECT_FALSE(may("http://store"));
}

}  // namespace
}  // namespace pgo::store_credentials_test
