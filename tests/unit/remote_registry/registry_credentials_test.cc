#include "pgo/remote_registry/remote_registry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "pgo/base/base64.h"
#include "pgo/base/temporary_directory.h"
#include "tests/data/tls_identity.h"
#include "tests/unit/remote_registry/memory_registry.h"

namespace pgo::registry_credentials_test {
namespace {

using test::answer;
using test::digest_of;
using test::error_of;
using test::make_tls_files;
using test::quick;
using test::ScriptedRequest;
using test::ScriptedServer;
using test::TlsFiles;

RemoteRegistryOptions with_user(const ScriptedServer& server, TemporaryDirectory& directory) {
  RemoteRegistryOptions options = quick();
  options.docker_config = directory.file("config.json");
  std::ofstream(options.docker_config) << "{\"auths\": {\"" << server.host() << "\": {\"auth\": \""
                                       << to_base64("u:secret") << "\"}}}";
  return options;
}

TEST(RemoteRegistryCredentials, SendsUserAndPasswordOnlyWhenAsked) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.header("Authorization") == "Basic " + to_base64("u:secret")) return answer(404);
    return answer(401, "", "WWW-Authenticate: Basic realm=\"r\"\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(error_of(remote.find_manifest("v1")), "no error");
  EXPECT_EQ(error_of(remote.find_manifest("v2")), "no error");
  ASSERT_EQ(server.requests().size(), 3U);
  EXPECT_EQ(server.requests()[0].header("Authorization"), "");
}

TEST(RemoteRegistryCredentials, AnswersOneOfSeveralChallenges) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.header("Authorization") == "Basic " + to_base64("u:secret")) return answer(404);
    return answer(401, "",
                  "WWW-Authenticate: Basic realm=\"r\"\r\nWWW-Authenticate: Negotiate YII=\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(error_of(remote.find_manifest("v1")), "no error");
}

TEST(RemoteRegistryCredentials, GetsTokensAndRenewsThem) {
  unsigned tokens = 0;
  std::string host;
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.target().starts_with("/token")) {
      if (request.target() != "/token?service=reg&scope=repository%3Ateam%2Fserver%3Apull" ||
          request.header("Authorization") != "Basic " + to_base64("u:secret"))
        return answer(400);
      return answer(200, "{\"access_token\": \"t" + std::to_string(++tokens) + "\"}");
    }
    if (request.header("Authorization") == "Bearer t" + std::to_string(tokens) && tokens != 2)
      return answer(404);
    if (tokens == 2 && request.target().ends_with("/v1")) return answer(404);
    return answer(401, "",
                  "WWW-Authenticate: Bearer realm=\"http://" + host +
                      "/token\",service=\"reg\",scope=\"repository:team/server:pull\"\r\n");
  });
  host = server.host();
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(error_of(remote.find_manifest("v1")), "no error");
  EXPECT_EQ(tokens, 1U);
  tokens = 2;  // t1 is not valid any more
  EXPECT_EQ(error_of(remote.find_manifest("v2")), "no error");
  EXPECT_EQ(tokens, 3U);
}

TEST(RemoteRegistryCredentials, SaysHowToLogIn) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(401,
                  R"({"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]})",
                  "WWW-Authenticate: Basic realm=\"r\"\r\n");
  });
  RemoteRegistry anonymous(server.host(), "team/server", quick());
  auto refused = anonymous.find_manifest("v1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(server.without_port(refused.error().message),
            "oci://HOST/team/server: the server answered 401 (Unauthorized): UNAUTHORIZED: "
            "authentication required");
  EXPECT_EQ(server.without_port(refused.error().advice),
            "neither docker's config.json nor ~/.netrc has a user and a password that it accepts; "
            "'docker login HOST' writes them");
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry wrong(server.host(), "team/server", with_user(server, directory));
  auto again = wrong.find_manifest("v1");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().advice,
            "it does not accept the user and password of " + directory.file("config.json"));
  EXPECT_EQ(again.error().message.find("secret"), std::string::npos);
}

TEST(RemoteRegistryCredentials, SendsNoPasswordToATokenServerWithoutTls) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(401, "", "WWW-Authenticate: Bearer realm=\"http://auth.example/token\"\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  EXPECT_EQ(server.without_port(error_of(remote.find_manifest("v1"))),
            "oci://HOST/team/server: names a token server without TLS: http://auth.example");
}

TEST(RemoteRegistryCredentials, FollowsBlobsToAStoreWithoutCredentials) {
  const std::string layer = "a profile";
  ScriptedServer store([&](const ScriptedRequest&) { return answer(200, layer); });
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.header("Authorization").empty())
      return answer(401, "", "WWW-Authenticate: Basic realm=\"r\"\r\n");
    return answer(307, "", "Location: " + store.url("/there?signature=s") + "\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  RemoteRegistry remote(server.host(), "team/server", with_user(server, directory));
  auto blob = get_blob(remote, {"", digest_of(layer), layer.size()}, 100);
  ASSERT_TRUE(blob) << blob.error().message;
  EXPECT_EQ(*blob, layer);
  ASSERT_EQ(store.requests().size(), 1U);
  EXPECT_EQ(store.requests()[0].header("Authorization"), "");
}

// The store has the same host as the registry, so netrc would have an entry for it, too.
TEST(RemoteRegistryCredentials, FollowsBlobsToAStoreWithoutNetrc) {
  const std::string layer = "a profile";
  ScriptedServer store([&](const ScriptedRequest& request) {
    if (request.header("Authorization").empty()) return answer(200, layer);
    return answer(400);
  });
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.header("Authorization") != "Basic " + to_base64("u:secret"))
      return answer(401, "", "WWW-Authenticate: Basic realm=\"r\"\r\n");
    return answer(307, "", "Location: " + store.url("/there?signature=s") + "\r\n");
  });
  auto directory = *TemporaryDirectory::make();
  std::ofstream(directory.file("netrc")) << "machine 127.0.0.1 login u password secret\n";
  ::setenv("NETRC", directory.file("netrc").c_str(), 1);
  RemoteRegistryOptions options = quick();
  options.http.netrc = true;
  RemoteRegistry remote(server.host(), "team/server", options);
  auto blob = get_blob(remote, {"", digest_of(layer), layer.size()}, 100);
  EXPECT_EQ(error_of(blob), "no error");
  ::unsetenv("NETRC");
  ASSERT_EQ(store.requests().size(), 1U);
  EXPECT_EQ(store.requests()[0].header("Authorization"), "");
}

// A certificate that cannot be read is an error where it would be shown.
TEST(RemoteRegistryCredentials, ShowsTheClientCertificateToTheRegistryOnly) {
  auto directory = *TemporaryDirectory::make();
  const TlsFiles tls = make_tls_files(directory.path());
  const std::string layer = "a profile";
  ScriptedServer store(
      [&](const ScriptedRequest& request) {
        return answer(200, request.target().starts_with("/token") ? "{\"token\": \"t\"}" : layer);
      },
      tls.server);
  ScriptedServer server([&](const ScriptedRequest& request) {
    if (request.header("Authorization") == "Bearer t")
      return answer(307, "", "Location: " + store.url("/there") + "\r\n");
    return answer(401, "", "WWW-Authenticate: Bearer realm=\"" + store.url("/token") + "\"\r\n");
  });
  RemoteRegistryOptions options = quick();
  options.http.ca_file = tls.authority;
  options.http.client_certificate = options.http.client_key = directory.file("unreadable.pem");
  std::ofstream(options.http.client_key) << "x";
  RemoteRegistry remote(server.host(), "team/server", options);
  EXPECT_EQ(error_of(get_blob(remote, {"", digest_of(layer), layer.size()}, 100)), "no error");
  EXPECT_EQ(store.requests().size(), 2U);

  ScriptedServer strict([](const ScriptedRequest&) { return answer(404); }, tls.server);
  RegistrySession session(strict.host(), "team/server", options);
  EXPECT_EQ(error_of(session.send({.url = strict.url("/v2/")})),
            options.http.client_key + ": cannot be used as a client certificate");
}

}  // namespace
}  // namespace pgo::registry_credentials_test
