#include <gtest/gtest.h>

#include "tests/data/http_outcomes.h"
#include "tests/data/temporary_files.h"
#include "tests/data/tls_identity.h"

namespace pgo::http_security_test {
namespace {

using net::HttpClient;
using net::HttpOptions;
using test::answer;
using test::impossible_name;
using test::outcome_of;
using test::quick_http;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;

class HttpSecurity : public test::TemporaryFiles {
 protected:
  HttpOptions with_authority() {
    HttpOptions options = quick_http();
    options.ca_file = tls.authority;
    return options;
  }
  static ScriptedAnswer answer_all(const ScriptedRequest&) { return answer(200, "safe"); }

  test::TlsFiles tls = test::make_tls_files(directory());
};

TEST_F(HttpSecurity, TrustsAnAuthorityThatIsGiven) {
  ScriptedServer server(answer_all, tls.server);
  EXPECT_EQ(outcome_of(server, with_authority()), "200: safe");
}

TEST_F(HttpSecurity, RefusesCertificatesOfOtherAuthorities) {
  ScriptedServer server(answer_all, tls.server);
  const std::string outcome = outcome_of(server);
  EXPECT_TRUE(
      outcome.starts_with("https://HOST/a: the TLS certificate of 127.0.0.1 is not trusted: "
                          "SSL certificate problem: unable to get local issuer certificate"))
      << outcome;
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(HttpSecurity, RefusesCertificatesOfOtherHosts) {
  ScriptedServer server(answer_all, tls.server);
  const std::string url = "https://localhost:" + std::to_string(server.port()) + "/a?token=secret";
  const Error error = HttpClient(with_authority()).send({.url = url}).error();
  EXPECT_EQ(error.message, "https://localhost:" + std::to_string(server.port()) +
                               "/a: the TLS certificate of localhost is not trusted: SSL: no "
                               "alternative certificate subject name matches target host name "
                               "'localhost'");
}

TEST_F(HttpSecurity, ShowsAClientCertificate) {
  test::ServerIdentity strict = tls.server;
  strict.authority = tls.authority;
  ScriptedServer server(answer_all, strict);
  HttpOptions options = with_authority();
  options.client_certificate = tls.client.certificate;
  options.client_key = tls.client.key;
  EXPECT_EQ(outcome_of(server, options), "200: safe");
}

TEST_F(HttpSecurity, SaysThatFilesOfCertificatesCannotBeUsed) {
  ScriptedServer server(answer_all, tls.server);
  HttpOptions options = quick_http();
  options.ca_file = path("none.pem");
  EXPECT_EQ(relative(outcome_of(server, options)),
            "none.pem: contains no certificates of authorities that can be read; give a file of "
            "PEM certificates");
  options = with_authority();
  options.client_certificate = options.client_key = write("wrong.pem", "x");
  EXPECT_EQ(relative(outcome_of(server, options)),
            "wrong.pem: cannot be used as a client certificate; give PEM files of a certificate "
            "and of its key");
}

TEST_F(HttpSecurity, SaysThatAPortHasNoTls) {
  ScriptedServer server(answer_all);
  const Error error = HttpClient(quick_http())
                          .send({.url = "https://" + server.host() + "/a?token=secret"})
                          .error();
  EXPECT_EQ(server.without_port(error.message),
            "https://HOST/a: no TLS connection to 127.0.0.1 port " + std::to_string(server.port()));
  EXPECT_EQ(
      error.advice,
      "check that this port speaks https:, and whether the server wants a client certificate");
}

TEST_F(HttpSecurity, TakesUserAndPasswordFromNetrc) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200); });
  ::setenv("NETRC", write("netrc", "machine 127.0.0.1 login me password hunter2\n").c_str(), 1);
  HttpOptions options = quick_http();
  EXPECT_EQ(outcome_of(server, options), "200: ");
  options.netrc = true;
  EXPECT_EQ(outcome_of(server, options), "200: ");
  EXPECT_EQ(outcome_of(server, {.url = server.url(), .headers = {{"Authorization", "Bearer t"}}},
                       options),
            "200: ");
  ::unsetenv("NETRC");
  const std::vector<ScriptedRequest> requests = server.requests();
  EXPECT_EQ(requests[0].header("Authorization"), "");
  EXPECT_EQ(requests[1].header("Authorization"), "Basic bWU6aHVudGVyMg==");
  EXPECT_EQ(requests[2].header("Authorization"), "Bearer t");
}

TEST(Proxy, ReachesThisMachineWithoutAProxy) {
  ScriptedServer server({answer(200, "direct")});
  const std::string proxy = "http://me:hunter2@" + impossible_name() + ":3128";
  ::setenv("http_proxy", proxy.c_str(), 1);
  const std::string outcome = outcome_of(server);
  const std::string far =
      HttpClient(quick_http()).send({.url = "http://web.invalid/"}).error().message;
  ::unsetenv("http_proxy");
  EXPECT_EQ(outcome, "200: direct");
  EXPECT_EQ(far, "http://web.invalid/: the address of the proxy was not found");
}

}  // namespace
}  // namespace pgo::http_security_test
