#include "pgo/net/http_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/data/scripted_server.h"
#include "tests/data/temporary_files.h"
#include "tests/data/tls_identity.h"

namespace pgo::http_client_test {
namespace {

using net::HttpClient;
using net::HttpOptions;
using net::HttpRequest;
using net::HttpResponse;
using test::answer;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;
using test::Then;

HttpOptions quick() {
  return {.tries = 3, .first_pause = .001, .longest_pause = .01, .netrc = false};
}

std::string text_of(const Error& error) {
  return error.message + (error.advice.empty() ? "" : "; " + error.advice);
}

// "200: body", or the error with HOST for the server's address.
std::string outcome_of(const ScriptedServer& server, HttpRequest request,
                       const HttpOptions& options = quick()) {
  Result<HttpResponse> response = HttpClient(options).send(std::move(request));
  if (!response) return server.without_port(text_of(response.error()));
  return std::to_string(response->status) + ": " + response->body;
}

std::string outcome_of(const ScriptedServer& server, const HttpOptions& options = quick()) {
  return outcome_of(server, {.url = server.url("/a?token=secret")}, options);
}

std::string message_of(const ScriptedServer& server, const HttpOptions& options = quick()) {
  const std::string outcome = outcome_of(server, options);
  return outcome.substr(0, outcome.find("; "));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What of it was called, in words.
class LoggedTransfer : public net::HttpTransfer {
 public:
  LoggedTransfer(HttpRequest request, std::string& log) : request_(std::move(request)), log_(log) {}
  Result<HttpRequest> request() override {
    log_ += "request ";
    return request_;
  }
  Result<void> begin(const HttpResponse& headers) override {
    log_ += "begin(" + std::to_string(headers.status) + ") ";
    return ok();
  }
  Result<void> append(Bytes body) override {
    log_ += as_text(body);
    return ok();
  }
  void end(Result<HttpResponse> outcome) override {
    log_ +=
        outcome ? " end(" + std::to_string(outcome->status) + ")" : " " + outcome.error().message;
  }

 private:
  HttpRequest request_;
  std::string& log_;
};

std::string log_of(const ScriptedServer& server, const HttpOptions& options = quick()) {
  std::string log;
  std::unique_ptr<net::HttpTransfer> only =
      std::make_unique<LoggedTransfer>(HttpRequest{.url = server.url()}, log);
  HttpClient(options).run([&] { return std::move(only); });
  return server.without_port(log);
}

TEST(HttpClient, SendsARequestAndReturnsTheAnswer) {
  ScriptedServer server({answer(200, "profile", "ETag:  \"x\" \r\nX-A: 1\r\nx-a: 2\r\n")});
  const HttpResponse response =
      HttpClient(quick()).send({.url = server.url("/a?b=c"), .headers = {{"X-B", "d"}}}).value();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "profile");
  EXPECT_EQ(response.header("etag"), "\"x\"");
  EXPECT_EQ(response.header("x-a"), "2");
  EXPECT_EQ(response.tries, 1u);
  EXPECT_EQ(server.without_port(server.requests()[0].head),
            "GET /a?b=c HTTP/1.1\r\nHost: HOST\r\nUser-Agent: ProdPGO\r\nAccept: */*\r\n"
            "X-B: d\r\n\r\n");
}

TEST(HttpClient, SendsBodies) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(204); });
  const std::string body = std::string("a\0b", 3) + std::string(2 << 20, 'c');
  EXPECT_EQ(outcome_of(server, {.method = "PUT", .url = server.url(), .body = body}), "204: ");
  EXPECT_EQ(outcome_of(server,
                       {.method = "POST", .url = server.url(), .headers = {{"Content-Type", "t"}}}),
            "204: ");
  EXPECT_EQ(outcome_of(server, {.method = "DELETE", .url = server.url()}), "204: ");
  const std::vector<ScriptedRequest> requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_TRUE(requests[0].head.starts_with("PUT / HTTP/1.1\r\n"));
  EXPECT_EQ(requests[0].body, body);
  EXPECT_EQ(requests[0].header("Content-Type"), "");
  EXPECT_EQ(requests[0].header("Expect"), "");
  EXPECT_TRUE(requests[1].head.starts_with("POST / HTTP/1.1\r\n"));
  EXPECT_EQ(requests[1].header("Content-Length"), "0");
  EXPECT_EQ(requests[1].header("Content-Type"), "t");
  EXPECT_TRUE(requests[2].head.starts_with("DELETE / HTTP/1.1\r\n"));
}

TEST(HttpClient, SendsAHeadRequest) {
  ScriptedServer server({{"HTTP/1.1 200 R\r\nContent-Length: 123\r\n\r\n"}});
  EXPECT_EQ(HttpClient(quick())
                .send({.method = "HEAD", .url = server.url()})
                .value()
                .header("content-length"),
            "123");
}

TEST(HttpClient, KeepsPathsAsTheyAre) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200); });
  EXPECT_EQ(outcome_of(server, {.url = server.url("/a/../b//%2e/%C3%A9?x=/../y")}), "200: ");
  EXPECT_EQ(server.requests()[0].target(), "/a/../b//%2e/%C3%A9?x=/../y");
}

TEST(HttpClient, ConnectsToAnotherAddressThanTheHost) {
  ScriptedServer server({answer(200, "here")});
  EXPECT_EQ(outcome_of(server, {.url = "http://web.invalid/a", .connect_to = server.host()}),
            "200: here");
  EXPECT_EQ(server.requests()[0].header("Host"), "web.invalid");
}

TEST(HttpClient, ReturnsStatusesThatAreNotRetried) {
  ScriptedServer server({answer(404, "none"), answer(304), answer(301, "elsewhere")});
  EXPECT_EQ(outcome_of(server), "404: none");
  EXPECT_EQ(outcome_of(server), "304: ");
  EXPECT_EQ(outcome_of(server), "301: elsewhere");
  EXPECT_EQ(server.requests().size(), 3u);
}

// Faults of the network.

TEST(HttpClient, SaysThatNothingListens) {
  const int port = test::closed_port();
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/a?token=secret";
  const Error error = HttpClient(quick()).send({.url = url}).error();
  EXPECT_EQ(error, (Error{ErrorKind::kIo,
                          "http://127.0.0.1:" + std::to_string(port) +
                              "/a: cannot connect to 127.0.0.1 port " + std::to_string(port) +
                              ": Connection refused (tried 3 times)",
                          "check that the service runs, and its host and port"}));
}

TEST(HttpClient, SaysThatAHostIsNotKnown) {
  const Error error = HttpClient(quick()).send({.url = "http://no-such-host.invalid/a"}).error();
  EXPECT_EQ(text_of(error),
            "http://no-such-host.invalid/a: the address of the host no-such-host.invalid was not "
            "found; check its name");
}

TEST(HttpClient, TriesAgainAfterAReset) {
  ScriptedServer server({{"", Then::kReset},
                         {"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kReset},
                         answer(200, "profile")});
  EXPECT_EQ(log_of(server), "request request begin(200) prorequest begin(200) profile end(200)");
}

TEST(HttpClient, SaysThatTheConnectionWasReset) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kReset};
  });
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the connection was reset after 3 bytes (tried 3 times)");
}

TEST(HttpClient, SaysThatNothingWasAnswered) {
  ScriptedServer server([](const ScriptedRequest&) { return ScriptedAnswer{"", Then::kClose}; });
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the server closed the connection without an answer (tried 3 times)");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpClient, SaysThatABodyIsShorterThanItsLength) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kClose};
  });
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the answer ended after 3 of 9 bytes (tried 3 times)");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpClient, SaysThatChunksEndEarly) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npro",
                          Then::kClose};
  });
  EXPECT_EQ(outcome_of(server), "http://HOST/a: the answer ended after 3 bytes (tried 3 times)");
}

TEST(HttpClient, TakesChunksAndABodyThatEndsWithItsConnection) {
  ScriptedServer server(
      {{"HTTP/1.1 200 R\r\nTransfer-Encoding: chunked\r\n\r\n3\r\npro\r\n4\r\nfile\r\n0\r\n\r\n"},
       {"HTTP/1.0 200 R\r\n\r\nall of it", Then::kClose}});
  EXPECT_EQ(outcome_of(server), "200: profile");
  EXPECT_EQ(outcome_of(server), "200: all of it");
}

TEST(HttpClient, SaysThatAServerStalls) {
  HttpOptions options = quick();
  options.stall_timeout = .2;
  options.tries = 1;
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target() == "/silent") return ScriptedAnswer{"", Then::kStall};
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kStall};
  });
  EXPECT_EQ(outcome_of(server, {.url = server.url("/silent")}, options),
            "http://HOST/silent: no byte arrived for 0.2 s; check the load of the "
            "server, or allow a longer time-out");
  EXPECT_EQ(message_of(server, options), "http://HOST/a: no byte arrived for 0.2 s, after 3 bytes");
}

TEST(HttpClient, WaitsForSlowBodiesThatDoNotStall) {
  HttpOptions options = quick();
  options.stall_timeout = .5;
  ScriptedAnswer slow = answer(200, "a profile that takes its time");
  slow.piece = 6;
  slow.pause = .05;  // eleven of these take longer than the time-out
  ScriptedServer server([=](const ScriptedRequest&) { return slow; });
  EXPECT_EQ(outcome_of(server, options), "200: a profile that takes its time");
}

TEST(HttpClient, LimitsTheTimeOfATry) {
  HttpOptions options = quick();
  options.total_timeout = .3;
  options.tries = 1;
  ScriptedAnswer slow = answer(200, std::string(100, 'a'));
  slow.piece = 1;
  slow.pause = .01;
  ScriptedServer server({slow});
  const std::string message = message_of(server, options);
  EXPECT_TRUE(message.starts_with("http://HOST/a: the answer was not complete after 0.3 s"))
      << message;
}

// Statuses that are retried.

TEST(HttpClient, TriesAgainAfterStatusesOfOverload) {
  ScriptedServer server(
      {answer(429), answer(500), answer(503), answer(599), answer(200, "at last")});
  HttpOptions options = quick();
  options.tries = 5;
  const HttpResponse response = HttpClient(options).send({.url = server.url()}).value();
  EXPECT_EQ(response.body, "at last");
  EXPECT_EQ(response.tries, 5u);
}

TEST(HttpClient, ReturnsTheLastAnswerOfAllTries) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(503, "too busy"); });
  const HttpResponse response = HttpClient(quick()).send({.url = server.url()}).value();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, "too busy");
  EXPECT_EQ(response.tries, 3u);
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpClient, BeginsNoBodyOfAnError) {
  ScriptedServer server({answer(503, "too busy"), answer(404, "none")});
  EXPECT_EQ(log_of(server), "request request  end(404)");
}

TEST(HttpClient, WaitsAsLongAsRetryAfterAsks) {
  ScriptedServer server({answer(503, "", "Retry-After: 1\r\n"), answer(200, "ready")});
  HttpOptions options = quick();
  options.longest_pause = 2;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(outcome_of(server, options), "200: ready");
  EXPECT_GE(seconds_since(start), 1);
}

TEST(HttpClient, TakesADateInRetryAfter) {
  ScriptedServer server({answer(503, "",
                                "Date: Wed, 21 Oct 2015 07:28:00 GMT\r\n"
                                "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n"),
                         answer(200, "ready")});
  HttpOptions options = quick();
  options.first_pause = options.longest_pause = 60;  // without the date the test takes 30 s
  EXPECT_EQ(outcome_of(server, options), "200: ready");
}

TEST(HttpClient, DoesNotWaitLongerThanTheLongestPause) {
  ScriptedServer server({answer(429, "busy", "Retry-After: 86400\r\n")});
  EXPECT_EQ(outcome_of(server), "429: busy");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpClient, AsksTheRequestAboutOtherStatuses) {
  ScriptedServer server({answer(403, "ExpiredToken"), answer(403, "AccessDenied")});
  auto is_expired = [](int status, const std::string& body) {
    return status == 403 && body == "ExpiredToken";
  };
  EXPECT_EQ(outcome_of(server, {.url = server.url(), .may_retry = is_expired}),
            "403: AccessDenied");
}

// Redirects.

TEST(HttpClient, FollowsRedirectsWithinTheOrigin) {
  ScriptedServer server({answer(302, "", "Location: ../c?d=e\r\n"),
                         answer(307, "", "Location: /f\r\n"), answer(200, "there")});
  EXPECT_EQ(outcome_of(server, {.url = server.url("/a/b")}), "200: there");
  EXPECT_EQ(server.requests()[1].target(), "/c?d=e");
  EXPECT_EQ(server.requests()[2].target(), "/f");
}

TEST(HttpClient, DoesNotFollowRedirectsToAnotherOrigin) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target() == "/b")
      return answer(301, "", "Location: https://" + request.header("Host") + "/b\r\n");
    return answer(302, "", "Location: http://login.example:81/in?token=secret\r\n");
  });
  const std::string outcome = outcome_of(server, {.url = server.url("/a"), .shown = "s3://b/a"});
  EXPECT_EQ(outcome,
            "s3://b/a: the server http://HOST redirects to another one, http://login.example:81, "
            "which is not followed; if you trust that server, give its URL instead");
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(outcome_of(server, {.url = server.url("/b")}).substr(0, 84),
            "http://HOST/b: the server http://HOST redirects to another one, https://HOST, which ");
}

TEST(HttpClient, ReturnsRedirectsOnRequest) {
  ScriptedServer server({answer(307, "elsewhere", "Location: http://other.example/a\r\n")});
  EXPECT_EQ(outcome_of(server, {.url = server.url(), .redirects = net::Redirects::kReturn}),
            "307: elsewhere");
}

TEST(HttpClient, DoesNotFollowRedirectsForEver) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(302, "", "Location: /a\r\n"); });
  EXPECT_EQ(outcome_of(server), "http://HOST/a: the server redirects more than 5 times");
  EXPECT_EQ(server.requests().size(), 6u);
}

TEST(HttpClient, DoesNotFollowOtherRedirects) {
  ScriptedServer server(
      {answer(302, "", "Location: file:///etc/passwd\r\n"), answer(307, "", "Location: /b\r\n")});
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the server redirects to what is no http: or https: URL");
  EXPECT_EQ(outcome_of(server, {.method = "PUT", .url = server.url("/a"), .body = "x"}),
            "http://HOST/a: the server redirects a request that writes (PUT), which is not "
            "followed; give the URL that it redirects to, http://HOST/b");
}

// Answers that cannot be right.

TEST(HttpClient, RefusesAnswersThatAreTooLarge) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200, std::string(3001, 'a')); });
  HttpOptions options = quick();
  options.max_body = 3000;
  EXPECT_EQ(HttpClient(options).send({.url = server.url("/a?b")}).error().kind, ErrorKind::kInput);
  EXPECT_EQ(outcome_of(server, options), "http://HOST/a: the answer is larger than 3.0 kB");
  options.max_body = 3001;
  EXPECT_EQ(outcome_of(server, options).size(), 3006u);
}

TEST(HttpClient, KeepsLittleOfTheBodyOfAnError) {
  ScriptedServer server({answer(404, std::string(1 << 20, 'a'))});
  EXPECT_EQ(outcome_of(server).size(), 5 + (64u << 10));
}

TEST(HttpClient, RefusesHeadersThatAreTooLarge) {
  std::string headers;
  for (int i = 0; i < 20; i++)
    headers += "X-" + std::to_string(i) + ": " + std::string(16000, 'a') + "\r\n";
  ScriptedServer server({answer(200, "", headers)});
  EXPECT_EQ(outcome_of(server), "http://HOST/a: the header of the answer is larger than 262.1 kB");
}

TEST(HttpClient, RefusesWhatIsNotHttp) {
  ScriptedServer server({{"SSH-2.0-OpenSSH_9.2\r\n", Then::kClose}});
  const std::string outcome = outcome_of(server, {.url = server.url("/a?token=secret")});
  EXPECT_EQ(outcome, "http://HOST/a: 127.0.0.1 port " + std::to_string(server.port()) +
                         " does not answer in HTTP; check the port");
}

TEST(HttpClient, PassesBodiesOnAsTheyWereSent) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(200, "\x1f\x8bgzip", "Content-Encoding: gzip\r\n");
  });
  EXPECT_EQ(log_of(server), "request begin(200) \x1f\x8bgzip end(200)");
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the answer has a Content-Encoding that was not asked for");
  EXPECT_EQ(server.requests()[0].header("Accept-Encoding"), "");
}

// Requests that cannot be sent.

TEST(HttpClient, RefusesPasswordsInUrls) {
  const Error error = HttpClient(quick()).send({.url = "http://me:hunter2@127.0.0.1/a"}).error();
  EXPECT_EQ(error, (Error{ErrorKind::kUsage,
                          "http://127.0.0.1/a: the URL contains a user or a password; "
                          "put them into ~/.netrc"}));
}

TEST(HttpClient, RefusesLineBreaksInHeaders) {
  ScriptedServer server({answer(200)});
  EXPECT_EQ(outcome_of(server, {.url = server.url("/a"),
                                .headers = {{"Authorization", "Bearer secret\n"}}}),
            "http://HOST/a: the request header Authorization contains a line break; remove it from "
            "the variable or file that the value comes from");
}

// Many at once.

TEST(HttpClient, RunsTransfersInParallelUpToTheLimit) {
  ScriptedServer server([](const ScriptedRequest& request) {
    ScriptedAnswer late = answer(200, request.target());
    late.pause = .01;
    return late;
  });
  HttpOptions options = quick();
  options.parallel = 4;
  std::vector<std::string> logs(40);
  size_t next = 0;
  HttpClient client(options);
  client.run([&]() -> std::unique_ptr<net::HttpTransfer> {
    if (next == logs.size()) return nullptr;
    const std::string url = server.url("/" + std::to_string(next));
    return std::make_unique<LoggedTransfer>(HttpRequest{.url = url}, logs[next++]);
  });
  for (size_t i = 0; i < logs.size(); i++)
    EXPECT_EQ(logs[i], "request begin(200) /" + std::to_string(i) + " end(200)");
  EXPECT_EQ(server.most_at_once(), 4);
  EXPECT_EQ(server.connections(), 4);  // which are used again
}

TEST(HttpClient, GoesOnWhenSomeFail) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return request.target() == "/1" ? ScriptedAnswer{"", Then::kReset} : answer(200);
  });
  std::vector<std::string> logs(3);
  size_t next = 0;
  HttpClient(quick()).run([&]() -> std::unique_ptr<net::HttpTransfer> {
    if (next == logs.size()) return nullptr;
    const std::string url = server.url("/" + std::to_string(next));
    return std::make_unique<LoggedTransfer>(HttpRequest{.url = url}, logs[next++]);
  });
  EXPECT_EQ(logs[0], "request begin(200)  end(200)");
  EXPECT_EQ(server.without_port(logs[1]),
            "request request request  http://HOST/1: the connection was reset before an answer "
            "(tried 3 times)");
  EXPECT_EQ(logs[2], "request begin(200)  end(200)");
}

class RefusingTransfer : public net::HttpTransfer {
 public:
  enum class At { kRequest, kBegin, kAppend };
  RefusingTransfer(HttpRequest request, At at, std::string& outcome)
      : request_(std::move(request)), at_(at), outcome_(outcome) {}
  Result<HttpRequest> request() override {
    if (at_ == At::kRequest) return fail(ErrorKind::kUsage, "no credentials");
    return request_;
  }
  Result<void> begin(const HttpResponse&) override {
    return at_ == At::kBegin ? fail(ErrorKind::kInput, "a page") : ok();
  }
  Result<void> append(Bytes) override {
    return at_ == At::kAppend ? fail(ErrorKind::kIo, "disk full") : ok();
  }
  void end(Result<HttpResponse> outcome) override {
    outcome_ = outcome ? "answered" : outcome.error().message;
  }

 private:
  HttpRequest request_;
  At at_;
  std::string& outcome_;
};

TEST(HttpClient, EndsATransferThatRefuses) {
  using At = RefusingTransfer::At;
  ScriptedServer server([](const ScriptedRequest& request) {
    return answer(200, request.target() == "/empty" ? "" : "body");
  });
  auto outcome = [&](At at, const char* target) {
    std::string text;
    std::unique_ptr<net::HttpTransfer> only =
        std::make_unique<RefusingTransfer>(HttpRequest{.url = server.url(target)}, at, text);
    HttpClient(quick()).run([&] { return std::move(only); });
    return text;
  };
  EXPECT_EQ(outcome(At::kRequest, "/"), "no credentials");
  EXPECT_EQ(outcome(At::kBegin, "/"), "a page");
  EXPECT_EQ(outcome(At::kBegin, "/empty"), "a page");
  EXPECT_EQ(outcome(At::kAppend, "/"), "disk full");
  EXPECT_EQ(outcome(At::kAppend, "/empty"), "answered");
  EXPECT_EQ(server.requests().size(), 4u);
}

// TLS and credentials.

class HttpClientFiles : public test::TemporaryFiles {
 protected:
  HttpOptions with_authority() {
    HttpOptions options = quick();
    options.ca_file = tls.authority;
    return options;
  }
  static ScriptedAnswer answer_all(const ScriptedRequest&) { return answer(200, "safe"); }

  test::TlsFiles tls = test::make_tls_files(directory());
};

TEST_F(HttpClientFiles, TrustsAnAuthorityThatIsGiven) {
  ScriptedServer server(answer_all, tls.server);
  EXPECT_EQ(outcome_of(server, with_authority()), "200: safe");
}

TEST_F(HttpClientFiles, RefusesCertificatesOfOtherAuthorities) {
  ScriptedServer server(answer_all, tls.server);
  const std::string outcome = outcome_of(server);
  EXPECT_TRUE(
      outcome.starts_with("https://HOST/a: the TLS certificate of 127.0.0.1 is not trusted: "
                          "SSL certificate problem: unable to get local issuer certificate"))
      << outcome;
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(HttpClientFiles, RefusesCertificatesOfOtherHosts) {
  ScriptedServer server(answer_all, tls.server);
  const std::string url = "https://localhost:" + std::to_string(server.port()) + "/a?token=secret";
  const Error error = HttpClient(with_authority()).send({.url = url}).error();
  EXPECT_EQ(error.message, "https://localhost:" + std::to_string(server.port()) +
                               "/a: the TLS certificate of localhost is not trusted: SSL: no "
                               "alternative certificate subject name matches target host name "
                               "'localhost'");
}

TEST_F(HttpClientFiles, ShowsAClientCertificate) {
  test::ServerIdentity strict = tls.server;
  strict.authority = tls.authority;
  ScriptedServer server(answer_all, strict);
  HttpOptions options = with_authority();
  options.client_certificate = tls.client.certificate;
  options.client_key = tls.client.key;
  EXPECT_EQ(outcome_of(server, options), "200: safe");
}

TEST_F(HttpClientFiles, SaysThatFilesOfCertificatesCannotBeUsed) {
  ScriptedServer server(answer_all, tls.server);
  HttpOptions options = quick();
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

TEST_F(HttpClientFiles, SaysThatAPortHasNoTls) {
  ScriptedServer server(answer_all);
  const Error error =
      HttpClient(quick()).send({.url = "https://" + server.host() + "/a?token=secret"}).error();
  EXPECT_EQ(server.without_port(error.message),
            "https://HOST/a: no TLS connection to 127.0.0.1 port " + std::to_string(server.port()));
  EXPECT_EQ(
      error.advice,
      "check that this port speaks https:, and whether the server wants a client certificate");
}

TEST_F(HttpClientFiles, TakesUserAndPasswordFromNetrc) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200); });
  ::setenv("NETRC", write("netrc", "machine 127.0.0.1 login me password hunter2\n").c_str(), 1);
  HttpOptions options = quick();
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

TEST(HttpClient, ReachesThisMachineWithoutAProxy) {
  ScriptedServer server({answer(200, "direct")});
  ::setenv("http_proxy", "http://me:hunter2@proxy.invalid:3128", 1);
  const std::string outcome = outcome_of(server);
  const std::string far = HttpClient(quick()).send({.url = "http://web.invalid/"}).error().message;
  ::unsetenv("http_proxy");
  EXPECT_EQ(outcome, "200: direct");
  EXPECT_EQ(far, "http://web.invalid/: the address of the proxy was not found");
}

}  // namespace
}  // namespace pgo::http_client_test
