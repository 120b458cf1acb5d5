// What comes of requests to a ScriptedServer, in words.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "pgo/net/http_client.h"
#include "tests/data/scripted_server.h"

namespace pgo::test {

inline net::HttpOptions quick_http() {
  return {.tries = 3, .first_pause = .001, .longest_pause = .01, .netrc = false};
}

inline std::string text_of(const Error& error) {
  return error.message + (error.advice.empty() ? "" : "; " + error.advice);
}

// A name that no name server is asked for: a part of it is longer than names can have.
inline std::string impossible_name() { return std::string(64, 'a') + ".invalid"; }

// "200: body", or the error with HOST for the server's address.
inline std::string outcome_of(const ScriptedServer& server, net::HttpRequest request,
                              const net::HttpOptions& options = quick_http()) {
  Result<net::HttpResponse> response = net::HttpClient(options).send(std::move(request));
  if (!response) return server.without_port(text_of(response.error()));
  return std::to_string(response->status) + ": " + response->body;
}

inline std::string outcome_of(const ScriptedServer& server,
                              const net::HttpOptions& options = quick_http()) {
  return outcome_of(server, {.url = server.url("/a?token=secret")}, options);
}

// What of it was called.
class LoggedTransfer : public net::HttpTransfer {
 public:
  LoggedTransfer(net::HttpRequest request, std::string& log)
      : request_(std::move(request)), log_(log) {}
  Result<net::HttpRequest> request() override {
    log_ += "request ";
    return request_;
  }
  Result<void> begin(const net::HttpResponse& headers) override {
    log_ += "begin(" + std::to_string(headers.status) + ") ";
    return ok();
  }
  Result<void> append(Bytes body) override {
    log_ += as_text(body);
    return ok();
  }
  void end(Result<net::HttpResponse> outcome) override {
    log_ +=
        outcome ? " end(" + std::to_string(outcome->status) + ")" : " " + outcome.error().message;
  }

 private:
  net::HttpRequest request_;
  std::string& log_;
};

inline std::string log_of(const ScriptedServer& server,
                          const net::HttpOptions& options = quick_http()) {
  std::string log;
  std::unique_ptr<net::HttpTransfer> only =
      std::make_unique<LoggedTransfer>(net::HttpRequest{.url = server.url()}, log);
  net::HttpClient(options).run([&] { return std::move(only); });
  return server.without_port(log);
}

}  // namespace pgo::test
