// HTTP requests and their answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo::net {

// What becomes of an answer that leads elsewhere: it is followed within the origin, or it is the
// answer, for a service that explains it in its own way.
enum class Redirects : uint8_t { kFollow, kReturn };

// HTTP/2 is asked for in TLS, and taken for granted without it.
enum class HttpProtocol : uint8_t { kHttp11, kHttp2 };

struct HttpResponse;

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // http: or https:, without user and password, percent-encoded
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  // "10.0.0.1:6060", "[::1]:6060": connect there instead of to the URL's host, which the request
  // and the TLS certificate still name. Empty: connect to that host.
  std::string connect_to = {};
  // What messages call it, without secrets: "s3://bucket/key". Empty: the URL without its query.
  std::string shown = {};
  // Does an error with this status come from a service that may answer later? 429 and 5xx but 501
  // always count; for others, such as 403 of an expired token, this decides. Null: no.
  std::function<bool(int status, const std::string& body)> may_retry = {};
  // Does a success (2xx) say that the service may answer later, as gRPC's do, in its header or in
  // the first 64 KB of its body? Null: no.
  std::function<bool(const HttpResponse&)> is_unavailable = {};
  Redirects redirects = Redirects::kFollow;
  HttpProtocol protocol = HttpProtocol::kHttp11;
};

struct HttpResponse {
  int status = 0;
  // Names in lower case. Of a header that is a list, all lines, joined by ", "; of another one, the
  // last line.
  std::map<std::string, std::string, std::less<>> headers = {};
  // Of a transfer without a sink; else the first 64 KB, of an answer that is no success.
  std::string body = {};
  unsigned tries = 1;  // how often the request was sent

  // Empty when there is no such header.
  const std::string& header(std::string_view lower_case_name) const;
  bool is_success() const { return status >= 200 && status < 300; }
  bool is_redirect() const { return status >= 300 && status < 400; }
  // A page for people, such as a login page, instead of data.
  bool is_html() const;
};

// The error of an answer that is no success: "SHOWN: the server answered 404 (Not Found)", and what
// to do about it. `detail` is what the server said, if that is no secret; only its first line is
// shown.
Error status_error(const std::string& shown, const HttpResponse& response,
                   std::string_view detail = {});
// What a server said, as messages can show it: its first line, in 200 bytes, without what is no
// printable character of ASCII.
std::string first_line(std::string_view text);
// Of a success that is_html().
Error page_error(const std::string& shown);

// One request with its retries, and what takes the answer. All calls come from the thread that runs
// the client. None may use this client; what needs another answer first, such as a token, asks a
// client of its own.
class HttpTransfer {
 public:
  HttpTransfer() = default;
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;
  virtual ~HttpTransfer() = default;

  // Before each try: here a request is signed with the time of day. An error ends the transfer.
  virtual Result<HttpRequest> request() = 0;
  // The body of a success (2xx) begins, perhaps again. An error ends the transfer.
  virtual Result<void> begin(const HttpResponse& headers) = 0;
  virtual Result<void> append(Bytes body) = 0;
  // Once, at last. A response of any final status that is not retried is a value; kIo: nothing was
  // answered, or not completely, whatever was tried.
  virtual void end(Result<HttpResponse> outcome) = 0;
};

}  // namespace pgo::net
