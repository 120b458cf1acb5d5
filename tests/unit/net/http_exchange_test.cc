#include "pgo/net/http_exchange.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/data/fake_clock.h"
#include "tests/data/http_outcomes.h"

namespace pgo::http_exchange_test {
namespace {

using net::HttpClient;
using net::HttpOptions;
using net::HttpResponse;
using test::answer;
using test::FakeClock;
using test::impossible_name;
using test::log_of;
using test::outcome_of;
using test::quick_http;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;
using test::text_of;
using test::Then;

// A server that answers with a part and no more, while time passes.
class Stalling {
 public:
  explicit Stalling(HttpOptions options) : options_(std::move(options)) {
    options_.tries = 1;
    options_.netrc = false;
    options_.now = clock_.function();
  }

  std::string outcome(const std::string& part, double seconds) {
    ScriptedServer server([&](const ScriptedRequest&) {
      ScriptedAnswer stalled = {part, Then::kStall};
      stalled.on_sent = [this, seconds, size = part.size()](size_t sent) {
        if (sent == size) clock_.advance_when_idle(seconds);
      };
      return stalled;
    });
    return outcome_of(server, options_);
  }

 private:
  FakeClock clock_;
  HttpOptions options_;
};

// Faults of the network.

TEST(HttpExchange, SaysThatNothingListens) {
  const int port = test::closed_port();
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/a?token=secret";
  const Error error = HttpClient(quick_http()).send({.url = url}).error();
  EXPECT_EQ(error, (Error{ErrorKind::kIo,
                          "http://127.0.0.1:" + std::to_string(port) +
                              "/a: cannot connect to 127.0.0.1 port " + std::to_string(port) +
                              ": Connection refused (tried 3 times)",
                          "check that the service runs, and its host and port"}));
}

TEST(HttpExchange, SaysThatAHostIsNotKnown) {
  const std::string url = "http://" + impossible_name() + "/a";
  EXPECT_EQ(
      text_of(HttpClient(quick_http()).send({.url = url}).error()),
      url + ": the address of the host " + impossible_name() + " was not found; check its name");
}

TEST(HttpExchange, TriesAgainAfterAReset) {
  ScriptedServer server({{"", Then::kReset},
                         {"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kReset},
                         answer(200, "profile")});
  EXPECT_EQ(log_of(server), "request request begin(200) prorequest begin(200) profile end(200)");
}

TEST(HttpExchange, SaysThatTheConnectionWasReset) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kReset};
  });
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the connection was reset after 3 bytes (tried 3 times)");
}

TEST(HttpExchange, SaysThatNothingWasAnswered) {
  ScriptedServer server([](const ScriptedRequest&) { return ScriptedAnswer{"", Then::kClose}; });
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the server closed the connection without an answer (tried 3 times)");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpExchange, SaysThatABodyIsShorterThanItsLength) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", Then::kClose};
  });
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the answer ended after 3 of 9 bytes (tried 3 times)");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpExchange, SaysThatChunksEndEarly) {
  ScriptedServer server([](const ScriptedRequest&) {
    return ScriptedAnswer{"HTTP/1.1 200 R\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npro",
                          Then::kClose};
  });
  EXPECT_EQ(outcome_of(server), "http://HOST/a: the answer ended after 3 bytes (tried 3 times)");
}

TEST(HttpExchange, TakesChunksAndABodyThatEndsWithItsConnection) {
  ScriptedServer server(
      {{"HTTP/1.1 200 R\r\nTransfer-Encoding: chunked\r\n\r\n3\r\npro\r\n4\r\nfile\r\n0\r\n\r\n"},
       {"HTTP/1.0 200 R\r\n\r\nall of it", Then::kClose}});
  EXPECT_EQ(outcome_of(server), "200: profile");
  EXPECT_EQ(outcome_of(server), "200: all of it");
}

TEST(HttpExchange, SaysThatAServerStalls) {
  Stalling stalling({.stall_timeout = .2, .total_timeout = 100});
  EXPECT_EQ(stalling.outcome("", .21),
            "http://HOST/a: no byte arrived for 0.2 s; check the load of the server, or allow a "
            "longer time-out");
  EXPECT_EQ(
      stalling.outcome("HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", .21),
      "http://HOST/a: no byte arrived for 0.2 s, after 3 bytes; check the load of the server, "
      "or allow a longer time-out");
}

TEST(HttpExchange, LimitsTheTimeOfATry) {
  Stalling stalling({.stall_timeout = 100, .total_timeout = .3});
  EXPECT_EQ(stalling.outcome("HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\npro", .31),
            "http://HOST/a: the answer was not complete after 0.3 s; 3 bytes arrived; check the "
            "load of the server, or allow a longer time-out");
}

TEST(HttpExchange, WaitsForSlowBodiesThatDoNotStall) {
  FakeClock clock;
  HttpOptions options = quick_http();
  options.stall_timeout = .2;
  options.now = clock.function();
  ScriptedAnswer slow = answer(200, "a profile that takes its time");
  slow.piece = 20;  // of 67 bytes: together they take longer than the time-out
  slow.on_sent = [&](size_t sent) {
    if (sent < slow.bytes.size()) clock.advance_when_idle(.15);
  };
  ScriptedServer server([&](const ScriptedRequest&) { return slow; });
  EXPECT_EQ(outcome_of(server, options), "200: a profile that takes its time");
}

// Statuses that are retried.

TEST(HttpExchange, TriesAgainAfterStatusesOfOverload) {
  ScriptedServer server(
      {answer(429), answer(500), answer(503), answer(599), answer(200, "at last")});
  HttpOptions options = quick_http();
  options.tries = 5;
  const HttpResponse response = HttpClient(options).send({.url = server.url()}).value();
  EXPECT_EQ(response.body, "at last");
  EXPECT_EQ(response.tries, 5u);
}

TEST(HttpExchange, ReturnsTheLastAnswerOfAllTries) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(503, "too busy"); });
  const HttpResponse response = HttpClient(quick_http()).send({.url = server.url()}).value();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, "too busy");
  EXPECT_EQ(response.tries, 3u);
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(HttpExchange, BeginsNoBodyOfAnError) {
  ScriptedServer server({answer(503, "too busy"), answer(404, "none")});
  EXPECT_EQ(log_of(server), "request request  end(404)");
}

TEST(HttpExchange, WaitsAsLongAsRetryAfterAsks) {
  ScriptedServer server({answer(503, "", "Retry-After: 1\r\n"), answer(200, "ready")});
  HttpOptions options = quick_http();
  options.longest_pause = 2;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(outcome_of(server, options), "200: ready");
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(HttpExchange, TakesADateInRetryAfter) {
  ScriptedServer server({answer(503, "",
                                "Date: Wed, 21 Oct 2015 07:28:00 GMT\r\n"
                                "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n"),
                         answer(200, "ready")});
  HttpOptions options = quick_http();
  options.first_pause = options.longest_pause = 60;  // without the date the test takes 30 s
  EXPECT_EQ(outcome_of(server, options), "200: ready");
}

TEST(HttpExchange, DoesNotWaitLongerThanTheLongestPause) {
  ScriptedServer server({answer(429, "busy", "Retry-After: 86400\r\n")});
  EXPECT_EQ(outcome_of(server), "429: busy");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpExchange, AsksTheRequestAboutOtherStatuses) {
  ScriptedServer server({answer(403, "ExpiredToken"), answer(403, "AccessDenied")});
  auto is_expired = [](int status, const std::string& body) {
    return status == 403 && body == "ExpiredToken";
  };
  EXPECT_EQ(outcome_of(server, {.url = server.url(), .may_retry = is_expired}),
            "403: AccessDenied");
}

// Redirects.

TEST(HttpExchange, FollowsRedirectsWithinTheOrigin) {
  ScriptedServer server({answer(302, "", "Location: ../c?d=e\r\n"),
                         answer(307, "", "Location: /f\r\n"), answer(200, "there")});
  EXPECT_EQ(outcome_of(server, {.url = server.url("/a/b")}), "200: there");
  EXPECT_EQ(server.requests()[1].target(), "/c?d=e");
  EXPECT_EQ(server.requests()[2].target(), "/f");
}

TEST(HttpExchange, DoesNotFollowRedirectsToAnotherOrigin) {
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

TEST(HttpExchange, ReturnsRedirectsOnRequest) {
  ScriptedServer server({answer(307, "elsewhere", "Location: http://other.example/a\r\n")});
  EXPECT_EQ(outcome_of(server, {.url = server.url(), .redirects = net::Redirects::kReturn}),
            "307: elsewhere");
}

TEST(HttpExchange, DoesNotFollowRedirectsForEver) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(302, "", "Location: /a\r\n"); });
  EXPECT_EQ(outcome_of(server), "http://HOST/a: the server redirects more than 5 times");
  EXPECT_EQ(server.requests().size(), 6u);
}

TEST(HttpExchange, DoesNotFollowOtherRedirects) {
  ScriptedServer server(
      {answer(302, "", "Location: file:///etc/passwd\r\n"), answer(307, "", "Location: /b\r\n")});
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the server redirects to a URL that is not http: or https:");
  EXPECT_EQ(outcome_of(server, {.method = "PUT", .url = server.url("/a"), .body = "x"}),
            "http://HOST/a: the server redirects a request that writes (PUT), which is not "
            "followed; give the URL that it redirects to, http://HOST/b");
}

// Answers that cannot be right.

TEST(HttpExchange, RefusesAnswersThatAreTooLarge) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200, std::string(3001, 'a')); });
  HttpOptions options = quick_http();
  options.max_body = 3000;
  EXPECT_EQ(HttpClient(options).send({.url = server.url("/a?b")}).error().kind, ErrorKind::kInput);
  EXPECT_EQ(outcome_of(server, options), "http://HOST/a: the answer is larger than 3.0 kB");
  options.max_body = 3001;
  EXPECT_EQ(outcome_of(server, options).size(), 3006u);
}

TEST(HttpExchange, KeepsLittleOfTheBodyOfAnError) {
  ScriptedServer server({answer(404, std::string(1 << 20, 'a'))});
  EXPECT_EQ(outcome_of(server).size(), 5 + (64u << 10));
}

TEST(HttpExchange, RefusesHeadersThatAreTooLarge) {
  std::string headers;
  for (int i = 0; i < 20; i++)
    headers += "X-" + std::to_string(i) + ": " + std::string(16000, 'a') + "\r\n";
  ScriptedServer server({answer(200, "", headers)});
  EXPECT_EQ(outcome_of(server), "http://HOST/a: the header of the answer is larger than 262.1 kB");
}

TEST(HttpExchange, RefusesWhatIsNotHttp) {
  ScriptedServer server({{"SSH-2.0-OpenSSH_9.2\r\n", Then::kClose}});
  const std::string outcome = outcome_of(server, {.url = server.url("/a?token=secret")});
  EXPECT_EQ(outcome, "http://HOST/a: 127.0.0.1 port " + std::to_string(server.port()) +
                         " does not answer in HTTP; check the port");
}

TEST(HttpExchange, PassesBodiesOnAsTheyWereSent) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(200, "\x1f\x8bgzip", "Content-Encoding: gzip\r\n");
  });
  EXPECT_EQ(log_of(server), "request begin(200) \x1f\x8bgzip end(200)");
  EXPECT_EQ(outcome_of(server),
            "http://HOST/a: the answer has a Content-Encoding that was not asked for");
  EXPECT_EQ(server.requests()[0].header("Accept-Encoding"), "");
}

}  // namespace
}  // namespace pgo::http_exchange_test
