#include "pgo/stores/live/live_token.h"

#include <gtest/gtest.h>

namespace pgo::live_token_test {
namespace {

using live::LiveToken;
using live::NamedBy;

std::string refusal(const LiveToken& token, const char* url, NamedBy named_by = NamedBy::kUser) {
  return token.refusal(net::parse_http_url(url).value(), named_by).value_or("sent");
}

TEST(LiveToken, IsSentOnlyByHttpsOrToThisMachine) {
  const LiveToken token = LiveToken::parse("secret", "web.internal").value();
  EXPECT_EQ(token.authorization(), "Bearer secret");
  for (const char* url : {"https://web", "https://10.0.0.1:6060", "http://localhost:1",
                          "http://127.0.0.1:1", "http://[0:0::1]:1", "http://a.localhost"})
    EXPECT_EQ(refusal(token, url), "sent") << url;
  for (const char* url :
       {"http://web:6060", "http://127.0.0.1.example.com", "http://127.example.com",
        "http://web.internal", "http://localhost.example.com", "http://[::2]"})
    EXPECT_NE(refusal(token, url), "sent") << url;
  EXPECT_EQ(refusal(token, "http://web:6060/a?b"),
            "PRODPGO_TOKEN is not sent to http://web:6060, because others could read it on the "
            "way; use https:");
}

TEST(LiveToken, IsSentOnlyToHostsThatTheUserNamesOrAllows) {
  const LiveToken token = LiveToken::parse("secret", "One,.internal,127.0.0.1,[::1]").value();
  for (const char* url : {"https://one:6060", "https://web.internal", "https://a.b.internal:1",
                          "http://127.0.0.1:1", "http://[::1]:1"})
    EXPECT_EQ(refusal(token, url, NamedBy::kDiscovery), "sent") << url;
  for (const char* url :
       {"https://two", "https://internal", "https://xinternal", "https://xone", "https://a.one",
        "https://web.internal.example.com", "http://one", "http://localhost"})
    EXPECT_NE(refusal(token, url, NamedBy::kDiscovery), "sent") << url;
  EXPECT_EQ(refusal(token, "https://two:6060/a?b", NamedBy::kDiscovery),
            "PRODPGO_TOKEN is not sent to https://two:6060, because a list of hosts named it; "
            "allow it by PRODPGO_TOKEN_HOSTS=two");
}

TEST(LiveToken, RefusesNothingWithoutAToken) {
  EXPECT_EQ(refusal(LiveToken(), "http://web", NamedBy::kDiscovery), "sent");
  EXPECT_FALSE(LiveToken::parse("", "web").value().is_set());
}

TEST(LiveToken, SaysWhatIsNoHost) {
  for (const char* hosts : {"*", "*.internal", "web:6060", "web,,", ".", "a/b", "http://a", "a b"})
    EXPECT_FALSE(LiveToken::parse("secret", hosts)) << hosts;
  EXPECT_EQ(
      LiveToken::parse("secret", "web,*.internal").error(),
      (Error{ErrorKind::kUsage, "PRODPGO_TOKEN_HOSTS: '*.internal' is not a host without a port",
             "write web.internal for one host, .internal for all hosts below it, and commas "
             "between them"}));
}

}  // namespace
}  // namespace pgo::live_token_test
