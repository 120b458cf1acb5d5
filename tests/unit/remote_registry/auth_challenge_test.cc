#include "pgo/remote_registry/auth_challenge.h"

#include <gtest/gtest.h>

namespace pgo::auth_challenge_test {
namespace {

using Scheme = AuthChallenge::Scheme;

TEST(AuthChallenge, ReadsWhatRegistriesSend) {
  const AuthChallenge basic{Scheme::kBasic, "Registry Realm", "", ""};
  EXPECT_EQ(parse_auth_challenge("Basic realm=\"Registry Realm\""), basic);
  const AuthChallenge bearer{Scheme::kBearer, "https://auth.docker.io/token", "registry.docker.io",
                             "repository:team/server:pull,push"};
  EXPECT_EQ(parse_auth_challenge("Bearer realm=\"https://auth.docker.io/token\",service=\"registry."
                                 "docker.io\",scope=\"repository:team/server:pull,push\""),
            bearer);
  EXPECT_EQ(parse_auth_challenge(
                "bearer Realm = \"https://auth.docker.io/token\" , service=registry.docker.io,"
                " scope=\"repository:team/server:pull,push\", error=\"invalid_token\""),
            bearer);
}

TEST(AuthChallenge, TakesTheFirstOneThatIsKnown) {
  const AuthChallenge basic{Scheme::kBasic, "b\"c", "", ""};
  EXPECT_EQ(parse_auth_challenge(
                "Negotiate, Digest realm=\"a\", Basic realm=\"b\\\"c\", Bearer realm=\"d\""),
            basic);
  EXPECT_EQ(parse_auth_challenge("Basic"), (AuthChallenge{}));
  for (const char* header : {"Negotiate YII/a+b==, Basic realm=c", "NTLM TlRM, Basic realm=c",
                             "Negotiate a= , Basic realm=c", "Basic realm=c, Negotiate YII="})
    EXPECT_EQ(parse_auth_challenge(header), (AuthChallenge{Scheme::kBasic, "c", "", ""})) << header;
}

TEST(AuthChallenge, FindsNoneElsewhere) {
  for (const char* header : {"", "Negotiate", "Bearer", "Bearer service=\"a\"", "Basic realm=\"a",
                             "Basic realm=\"a\\", "\"Basic\"", "=", "Basic realm=a, =b"})
    EXPECT_EQ(parse_auth_challenge(header), std::nullopt) << header;
}

}  // namespace
}  // namespace pgo::auth_challenge_test
