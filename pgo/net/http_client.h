// HttpClient: sends HTTP requests, many at once, with retries. One loop (curl_multi), no threads.
//
//   HttpClient client(options);
//   PGO_TRY(HttpResponse response, client.send({.url = "http://127.0.0.1:9090/-/ready"}));
//   client.run([&] { return next_transfer(); });     until it returns null and all have ended
//
// Retried: no connection, a connection that was closed, a body shorter than Content-Length, too
// slow, 429 and 500 to 599 but 501, and what HttpRequest names; after a pause that doubles, with
// jitter, or as long as Retry-After asks for. Redirects are followed within an origin only. TLS
// certificates are always verified. Bodies come as they were sent: no Content-Encoding is asked
// for, and none is undone, because profiles are compressed by themselves. HTTP/1.1 unless a request
// asks for HTTP/2; a proxy of the environment (https_proxy, no_proxy) is used except for this
// machine and link-local addresses. No error shows a header, a query, a user or a password.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/net/http.h"

namespace pgo::net {

using SteadyTime = std::chrono::steady_clock::time_point;

struct HttpOptions {
  unsigned parallel = 16;  // transfers at once
  unsigned tries = 5;      // of a request, in all
  // In seconds.
  double connect_timeout = 10;
  double stall_timeout = 30;     // without a byte
  double total_timeout = 600;    // of a try
  double first_pause = .5;       // before the second try; doubles
  double longest_pause = 30;     // Retry-After included: when it asks for more, the transfer fails
  uint64_t max_body = 64 << 20;  // of an answer without a sink, in bytes
  std::string ca_file = {};      // PEM; empty: the system's
  std::string client_certificate = {}, client_key = {};  // PEM; empty: none
  bool netrc = true;  // take user and password of a host from $NETRC or ~/.netrc
  // When what is under way is given up, and nothing more is begun; asked again and again. Nothing,
  // or no function: never.
  std::function<std::optional<SteadyTime>()> ends_at = {};
  // What time-outs and pauses are measured by, but for connect_timeout.
  std::function<SteadyTime()> now = std::chrono::steady_clock::now;
};

// A request whose answer is kept in memory.
struct MemoryRequest {
  HttpRequest request;
  // Once. Errors as of HttpClient::send().
  std::function<void(Result<HttpResponse>)> take;
};

class HttpClient {
 public:
  explicit HttpClient(HttpOptions options);
  HttpClient(HttpClient&& other) noexcept;
  HttpClient& operator=(HttpClient&& other) noexcept;
  ~HttpClient();

  // Errors as of HttpTransfer::end(); kInput for an answer of more than max_body bytes.
  Result<HttpResponse> send(HttpRequest request);

  // Runs the transfers that `next` returns, up to `parallel` at once. `next` is called whenever
  // there is room, until it returns null. When libcurl itself fails, or a transfer uses its own
  // client, all that are left end with an error of kind kInternal.
  void run(const std::function<std::unique_ptr<HttpTransfer>()>& next);
  // The same for requests whose answers are kept in memory. What takes an answer may cause more
  // requests, which `next` then returns: it is asked again after the last one has ended.
  void run_in_memory(const std::function<std::optional<MemoryRequest>()>& next);

  const HttpOptions& options() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace pgo::net
