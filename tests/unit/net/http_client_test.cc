#include "pgo/net/http_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "tests/data/http_outcomes.h"
#include "tests/data/rounds.h"

namespace pgo::http_client_test {
namespace {

using net::HttpClient;
using net::HttpOptions;
using net::HttpRequest;
using net::HttpResponse;
using test::answer;
using test::LoggedTransfer;
using test::outcome_of;
using test::quick_http;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;
using test::Then;

TEST(HttpClient, SendsARequestAndReturnsTheAnswer) {
  ScriptedServer server({answer(200, "profile", "ETag:  \"x\" \r\nX-A: 1\r\nx-a: 2\r\n")});
  const HttpResponse response = HttpClient(quick_http())
                                    .send({.url = server.url("/a?b=c"), .headers = {{"X-B", "d"}}})
                                    .value();
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
  EXPECT_EQ(HttpClient(quick_http())
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

// Requests that cannot be sent.

TEST(HttpClient, RefusesPasswordsInUrls) {
  const Error error =
      HttpClient(quick_http()).send({.url = "http://me:hunter2@127.0.0.1/a"}).error();
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
  test::Rounds rounds(4);
  ScriptedServer server([&](const ScriptedRequest& request) {
    ScriptedAnswer held = answer(200, request.target());
    held.on_sent = [&](size_t sent) {
      if (sent == 0) rounds.wait();
    };
    return held;
  });
  HttpOptions options = quick_http();
  options.parallel = 4;
  std::vector<std::string> logs(40);
  size_t next = 0;
  HttpClient client(options);
  client.run([&]() -> std::unique_ptr<net::HttpTransfer> {
    const auto running = std::count_if(logs.begin(), logs.end(),
                                       [](const std::string& log) { return log == "request "; });
    EXPECT_LT(running, 4);
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
  HttpClient(quick_http()).run([&]() -> std::unique_ptr<net::HttpTransfer> {
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
    HttpClient(quick_http()).run([&] { return std::move(only); });
    return text;
  };
  EXPECT_EQ(outcome(At::kRequest, "/"), "no credentials");
  EXPECT_EQ(outcome(At::kBegin, "/"), "a page");
  EXPECT_EQ(outcome(At::kBegin, "/empty"), "a page");
  EXPECT_EQ(outcome(At::kAppend, "/"), "disk full");
  EXPECT_EQ(outcome(At::kAppend, "/empty"), "answered");
  EXPECT_EQ(server.requests().size(), 4u);
}

// A transfer that uses its own client, which is an error of the program.
class NestedTransfer : public net::HttpTransfer {
 public:
  NestedTransfer(HttpClient& client, HttpRequest request, std::string& log)
      : client_(client), request_(std::move(request)), log_(log) {}
  Result<HttpRequest> request() override { return request_; }
  Result<void> begin(const HttpResponse&) override { return ok(); }
  Result<void> append(Bytes) override { return send(); }
  void end(Result<HttpResponse> outcome) override {
    log_ += outcome ? "answered; " : outcome.error().message + "; ";
    log_ += send().error().message;
  }

 private:
  Result<void> send() {
    PGO_TRY(HttpResponse response, client_.send(request_));
    return ok();
  }

  HttpClient& client_;
  HttpRequest request_;
  std::string& log_;
};

TEST(HttpClient, RefusesToBeUsedByItsTransfers) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200, "body"); });
  HttpClient client(quick_http());
  std::string log;
  std::unique_ptr<net::HttpTransfer> only =
      std::make_unique<NestedTransfer>(client, HttpRequest{.url = server.url()}, log);
  client.run([&] { return std::move(only); });
  EXPECT_EQ(log,
            "a transfer uses the client that runs it; a transfer uses the client that runs it");
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(client.send({.url = server.url()}).value().body, "body");
}

// When its time is over.

class EndingClient {
 public:
  EndingClient() {
    options_.ends_at = [this] { return is_over ? std::optional(net::SteadyTime()) : std::nullopt; };
  }
  std::string outcome(ScriptedAnswer answer) {
    answer.on_sent = [this, size = answer.bytes.size()](size_t sent) {
      if (sent == size) is_over = true;
    };
    ScriptedServer server([&](const ScriptedRequest&) { return answer; });
    std::string text = outcome_of(server, options_);
    return text + " after " + std::to_string(server.requests().size());
  }

  std::atomic<bool> is_over = false;

 private:
  HttpOptions options_ = quick_http();
};

TEST(HttpClient, StopsWhatIsUnderWayWhenItsTimeIsOver) {
  EXPECT_EQ(
      EndingClient().outcome({"HTTP/1.1 200 R\r\nContent-Length: 9\r\n\r\nabc", Then::kStall}),
      "http://HOST/a: was stopped, because pgo was asked to stop after 1");
}

TEST(HttpClient, BeginsNothingWhenItsTimeIsOver) {
  EXPECT_EQ(EndingClient().outcome(answer(503)), "503:  after 1");
  EndingClient client;
  client.is_over = true;
  EXPECT_EQ(client.outcome(answer(200)),
            "http://HOST/a: was stopped, because pgo was asked to stop after 0");
}

TEST(HttpClient, SaysWhichOptionLibcurlRefuses) {
  HttpOptions options = quick_http();
  options.ca_file = std::string(9'000'000, 'a');  // libcurl takes 8 MB
  EXPECT_EQ(HttpClient(options).send({.url = "http://127.0.0.1/a"}).error(),
            (Error{ErrorKind::kInternal,
                   "http://127.0.0.1/a: libcurl refuses its option CAINFO: A libcurl function was "
                   "given a bad argument"}));
}

}  // namespace
}  // namespace pgo::http_client_test
