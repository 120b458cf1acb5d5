#include "pgo/net/http_exchange.h"

#include <algorithm>
#include <cstring>

#include "pgo/base/number_text.h"
#include "pgo/net/curl_options.h"
#include "pgo/net/retry_pause.h"

namespace pgo::net {
namespace {

constexpr uint64_t kMaxHeaders = 256 << 10;  // bytes of an answer
// Kept of an answer that is no success, and of one that may say that the service is unavailable.
constexpr uint64_t kMaxErrorBody = 64 << 10;
constexpr unsigned kMaxRedirects = 5;
constexpr unsigned kMaxLookups = 2;  // a name that is not known is seldom known a second later

long milliseconds(double seconds) {
  return static_cast<long>(std::clamp(seconds * 1000, 1.0, 1e9));
}

double seconds_between(SteadyTime begin, SteadyTime end) {
  return std::chrono::duration<double>(end - begin).count();
}

std::string seconds_text(double seconds) {
  const double whole = static_cast<double>(whole_number(seconds));
  return format_decimal(seconds, whole == seconds ? 0 : 1) + " s";
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Whose lines may be joined. Another header that comes twice is a server's mistake.
bool is_list_header(std::string_view name) { return name == "www-authenticate" || name == "link"; }

bool has_line_break(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != text.npos;
}

// This machine itself, and what serves keys to the programs of a virtual machine: link-local
// addresses, and those of AWS in IPv6. A proxy is another machine.
bool is_beside_proxy(const HttpUrl& url) {
  const bool is_number = url.host.find_first_not_of("0123456789.") == url.host.npos;
  return url.is_loopback() || (is_number && url.host.starts_with("169.254.")) ||
         url.host.starts_with("[fe80:") || url.host == "[fd00:ec2::254]" ||
         url.host == "[fd00:ec2::23]";
}

bool is_temporary(CURLcode code, long system_error) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE: return true;
    case CURLE_SSL_CONNECT_ERROR: return system_error != 0;
    default: return false;
  }
}

}  // namespace

HttpExchange::HttpExchange(std::unique_ptr<HttpTransfer> transfer, const HttpOptions& options)
    : transfer_(std::move(transfer)),
      options_(options),
      outcome_(fail(ErrorKind::kInternal, "a request has no outcome")) {}

void HttpExchange::end() { transfer_->end(std::move(outcome_)); }

HttpExchange::Step HttpExchange::prepare() {
  tries_++;
  redirects_ = 0;
  Result<HttpRequest> request = transfer_->request();
  if (!request) return fail_try(request.error(), false);
  request_ = *std::move(request);
  Result<HttpUrl> url = parse_http_url(request_.url);
  if (!url) return fail_try(url.error(), false);
  url_ = *std::move(url);
  if (request_.shown.empty()) request_.shown = url_.shown();
  Result<void> prepared = set_up();
  return prepared ? Step::kSend : fail_try(prepared.error(), false);
}

Result<void> HttpExchange::set_up() {
  response_ = {};
  header_bytes_ = body_bytes_ = 0;
  is_begun_ = is_body_cut_ = false;
  moved_ = 0;
  started_ = last_moved_ = options_.now();
  curl_text_[0] = '\0';

  // A new one: after curl_easy_reset(), one whose lookup failed refuses CURLOPT_BUFFERSIZE.
  handle_.reset(curl_easy_init());
  if (!handle_) return fail(ErrorKind::kInternal, "libcurl cannot make a handle");
  CurlOptions options(handle_.get());
  options.set(CURLOPT_PRIVATE, static_cast<void*>(this));
  options.set(CURLOPT_ERRORBUFFER, static_cast<char*>(curl_text_));
  options.set(CURLOPT_URL, url_.text().c_str());
  options.set(CURLOPT_PATH_AS_IS, 1L);
  options.set(CURLOPT_PROTOCOLS_STR, "http,https");
  options.set(CURLOPT_HTTP_VERSION, http_version());
  if (http_version() == CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE) {
    // libcurl 7.88 fails ("Error in the HTTP2 framing layer") when it uses such a connection again.
    options.set(CURLOPT_FRESH_CONNECT, 1L);
    options.set(CURLOPT_FORBID_REUSE, 1L);
  }
  options.set(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  options.set(CURLOPT_USERAGENT, "ProdPGO");
  options.set(CURLOPT_BUFFERSIZE, 128L << 10);
  options.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(connect_timeout()));
  if (is_beside_proxy(url_)) options.set(CURLOPT_PROXY, "");
  options.set(CURLOPT_HEADERFUNCTION, on_header);
  options.set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  options.set(CURLOPT_WRITEFUNCTION, on_body);
  options.set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  options.set(CURLOPT_NOPROGRESS, 0L);
  options.set(CURLOPT_XFERINFOFUNCTION, on_progress);
  options.set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
  set_security(options);
  set_method(options);
  PGO_CHECK(set_lists(options));
  return options.outcome(request_.shown);
}

void HttpExchange::set_security(CurlOptions& options) {
  options.set(CURLOPT_SSL_VERIFYPEER, 1L);
  options.set(CURLOPT_SSL_VERIFYHOST, 2L);
  auto set_file = [&](CURLoption option, const std::string& path) {
    if (!path.empty()) options.set(option, path.c_str());
  };
  set_file(CURLOPT_CAINFO, options_.ca_file);
  set_file(CURLOPT_SSLCERT, options_.client_certificate);
  set_file(CURLOPT_SSLKEY, options_.client_key);
  const bool has_authorization = std::any_of(
      request_.headers.begin(), request_.headers.end(),
      [](const auto& header) { return curl_strequal(header.first.c_str(), "Authorization") != 0; });
  if (!options_.netrc || has_authorization) return;
  options.set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
  if (const char* file = std::getenv("NETRC")) options.set(CURLOPT_NETRC_FILE, file);
}

void HttpExchange::set_method(CurlOptions& options) {
  if (request_.method == "GET") return;
  if (request_.method == "HEAD") return options.set(CURLOPT_NOBODY, 1L);
  if (request_.method == "PUT" || request_.method == "POST" || !request_.body.empty()) {
    options.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    options.set(CURLOPT_POSTFIELDS, request_.body.data());
  }
  options.set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

Result<void> HttpExchange::set_lists(CurlOptions& options) {
  // Without these two, libcurl would add a form's Content-Type, and would wait for "100 Continue".
  std::vector<std::string> lines = {"Expect:"};
  bool has_type = false;
  for (const auto& [name, value] : request_.headers) {
    if (has_line_break(name) || has_line_break(value))
      return fail(ErrorKind::kUsage,
                  request_.shown + ": the request header " +
                      (has_line_break(name) ? std::string("name") : name) +
                      " contains a line break",
                  "remove it from the variable or file that the value comes from");
    has_type |= curl_strequal(name.c_str(), "Content-Type") != 0;
    lines.push_back(value.empty() ? name + ";" : name + ": " + value);
  }
  if (!has_type) lines.push_back("Content-Type:");
  PGO_TRY(header_list_, list_of(lines));
  options.set(CURLOPT_HTTPHEADER, header_list_.get());
  if (request_.connect_to.empty()) return ok();
  PGO_TRY(connect_list_, list_of({"::" + request_.connect_to}));
  options.set(CURLOPT_CONNECT_TO, connect_list_.get());
  return ok();
}

Result<HttpExchange::CurlList> HttpExchange::list_of(const std::vector<std::string>& lines) const {
  CurlList list;
  for (const std::string& line : lines) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (!longer) return fail(ErrorKind::kInternal, request_.shown + ": libcurl has no memory");
    list.release();
    list.reset(longer);
  }
  return list;
}

// What arrives.

size_t HttpExchange::on_header(char* data, size_t size, size_t count, void* exchange) {
  auto* self = static_cast<HttpExchange*>(exchange);
  return self->take_header({data, size * count}) ? size * count : 0;
}

size_t HttpExchange::on_body(char* data, size_t size, size_t count, void* exchange) {
  auto* self = static_cast<HttpExchange*>(exchange);
  const Bytes body(reinterpret_cast<const uint8_t*>(data), size * count);
  return self->take_body(body) ? body.size() : 0;
}

int HttpExchange::on_progress(void* exchange, curl_off_t, curl_off_t received, curl_off_t,
                              curl_off_t sent) {
  auto* self = static_cast<HttpExchange*>(exchange);
  if (self->moved_ != received + sent) {
    self->moved_ = received + sent;
    self->last_moved_ = self->options_.now();
  }
  return 0;
}

long HttpExchange::http_version() const {
  if (request_.protocol == HttpProtocol::kHttp11) return CURL_HTTP_VERSION_1_1;
  return url_.scheme == "https" ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
}

int HttpExchange::status() const {
  long code = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
  return static_cast<int>(code);
}

bool HttpExchange::take_header(std::string_view line) {
  last_moved_ = options_.now();
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaders) {
    refusal_ = {ErrorKind::kInput, request_.shown + ": the header of the answer is larger than " +
                                       format_size(kMaxHeaders)};
    return false;
  }
  if (line.starts_with("HTTP/")) response_.headers.clear();  // 100 Continue came before
  const size_t colon = line.find(':');
  if (colon == line.npos) return true;
  std::string name(line.substr(0, colon));
  for (char& letter : name)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
  const bool is_list = is_list_header(name);
  std::string& value = response_.headers[std::move(name)];
  const std::string text(trimmed(line.substr(colon + 1)));
  value = is_list && !value.empty() ? value + ", " + text : text;
  return true;
}

bool HttpExchange::take_body(Bytes body) {
  body_bytes_ += body.size();
  response_.status = status();
  response_.tries = tries_;
  if (!response_.is_success()) {
    const size_t room = kMaxErrorBody - response_.body.size();
    response_.body += as_text(body.first(std::min(room, body.size())));
    is_body_cut_ = response_.body.size() == kMaxErrorBody;
    return !is_body_cut_;
  }
  Result<void> taken = ok();
  if (!is_begun_) {
    is_begun_ = true;
    taken = transfer_->begin(response_);
  }
  if (request_.is_unavailable) {
    const size_t room = kMaxErrorBody - response_.body.size();
    response_.body += as_text(body.first(std::min(room, body.size())));
  }
  if (taken) taken = transfer_->append(body);
  if (!taken) refusal_ = taken.error();
  return taken.has_value();
}

// What becomes of a try.

std::optional<double> HttpExchange::asked_pause() const {
  if (!outcome_.has_value()) return std::nullopt;
  return net::asked_pause(*outcome_);
}

bool HttpExchange::may_retry() const {
  const int status = response_.status;
  if (response_.is_success()) return request_.is_unavailable && request_.is_unavailable(response_);
  // 501 says that the server does not know the request, and will not learn it.
  return status == 429 || (status >= 500 && status <= 599 && status != 501) ||
         (request_.may_retry && request_.may_retry(status, response_.body));
}

HttpExchange::Step HttpExchange::fail_try(Error error, bool is_temporary) {
  if (is_temporary && tries_ > 1) error.message += " (tried " + std::to_string(tries_) + " times)";
  outcome_ = fail(std::move(error));
  return is_temporary ? Step::kRetried : Step::kEnd;
}

HttpExchange::Step HttpExchange::finish(CURLcode code) {
  if (refusal_) return fail_try(*refusal_, false);
  response_.status = status();
  response_.tries = tries_;
  if (code == CURLE_OK || is_body_cut_) return finish_answer();
  long system_error = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_OS_ERRNO, &system_error);
  const bool is_lookup = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY;
  Error error = error_of(code);
  if (is_lookup && tries_ >= kMaxLookups) return fail_try(std::move(error), false);
  return fail_try(std::move(error), is_temporary(code, system_error));
}

HttpExchange::Step HttpExchange::finish_answer() {
  if (response_.is_success()) {
    Result<void> taken = is_begun_ ? ok() : transfer_->begin(response_);
    if (!taken) return fail_try(taken.error(), false);
  } else if (response_.is_redirect() && request_.redirects == Redirects::kFollow &&
             !response_.header("location").empty()) {
    return follow_redirect();
  }
  const bool retried = may_retry();
  outcome_ = std::move(response_);
  return retried ? Step::kRetried : Step::kEnd;
}

HttpExchange::Step HttpExchange::follow_redirect() {
  std::unique_ptr<CURLU, void (*)(CURLU*)> parts(curl_url(), curl_url_cleanup);
  char* joined = nullptr;
  const bool is_url =
      parts && curl_url_set(parts.get(), CURLUPART_URL, url_.text().c_str(), 0) == CURLUE_OK &&
      curl_url_set(parts.get(), CURLUPART_URL, response_.header("location").c_str(), 0) ==
          CURLUE_OK &&
      curl_url_get(parts.get(), CURLUPART_URL, &joined, 0) == CURLUE_OK;
  Result<HttpUrl> target = parse_http_url(is_url ? joined : "");
  curl_free(joined);
  if (!target)
    return fail_try({ErrorKind::kInput, request_.shown + ": the server redirects to a URL that is "
                                                         "not http: or https:"},
                    false);
  if (target->origin() != url_.origin())
    return fail_try(
        {ErrorKind::kIo,
         request_.shown + ": the server " + url_.origin() + " redirects to another one, " +
             target->origin() + ", which is not followed",
         "if you trust that server, give its URL instead"},
        false);
  if (request_.method != "GET" && request_.method != "HEAD")
    return fail_try({ErrorKind::kIo,
                     request_.shown +
                         ": the server redirects a request that "
                         "writes (" +
                         request_.method + "), which is not followed",
                     "give the URL that it redirects to, " + target->shown()},
                    false);
  if (++redirects_ > kMaxRedirects)
    return fail_try({ErrorKind::kIo, request_.shown + ": the server redirects more than " +
                                         std::to_string(kMaxRedirects) + " times"},
                    false);
  url_ = *std::move(target);
  Result<void> prepared = set_up();
  return prepared ? Step::kSend : fail_try(prepared.error(), false);
}

std::optional<Error> HttpExchange::overdue(SteadyTime now) {
  curl_off_t connected = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_PRETRANSFER_TIME_T, &connected);
  if (connected == 0) last_moved_ = now;
  const char* advice = "check the load of the server, or allow a longer time-out";
  if (seconds_between(last_moved_, now) >= options_.stall_timeout)
    return Error{ErrorKind::kIo,
                 request_.shown + ": no byte arrived for " + seconds_text(options_.stall_timeout) +
                     (body_bytes_ == 0 ? "" : ", after " + format_size(body_bytes_)),
                 advice};
  if (connected != 0 && seconds_between(started_, now) >= options_.total_timeout)
    return Error{ErrorKind::kIo,
                 request_.shown + ": the answer was not complete after " +
                     seconds_text(options_.total_timeout) + "; " + format_size(body_bytes_) +
                     " arrived",
                 advice};
  return std::nullopt;
}

HttpExchange::Step HttpExchange::finish_overdue(Error error) {
  return fail_try(std::move(error), true);
}

void HttpExchange::give_up(Error error) { outcome_ = fail(std::move(error)); }

void HttpExchange::stop() {
  give_up({ErrorKind::kIo, request_.shown + ": was stopped, because pgo was asked to stop"});
}

double HttpExchange::connect_timeout() const {
  return std::min(options_.connect_timeout, options_.total_timeout);
}

Error HttpExchange::error_of(CURLcode code) {
  const std::string shown = request_.shown + ": ";
  const std::string arrived = format_size(body_bytes_);
  const std::string server = url_.host + " port " + std::to_string(url_.port);
  long number = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_OS_ERRNO, &number);
  const std::string because =
      number == 0 ? "" : std::string(": ") + std::strerror(static_cast<int>(number));
  const ErrorKind io = ErrorKind::kIo;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {io, shown + "the address of the proxy was not found",
              "check http_proxy, https_proxy and no_proxy"};
    case CURLE_COULDNT_RESOLVE_HOST:
      return {io, shown + "the address of the host " + url_.host + " was not found",
              "check its name"};
    case CURLE_COULDNT_CONNECT:
      return {io, shown + "cannot connect to " + server + because,
              "check that the service runs, and its host and port"};
    case CURLE_OPERATION_TIMEDOUT:
      return {io,
              shown + "no connection to " + server + " within " + seconds_text(connect_timeout()),
              "check its host and port, and firewalls"};
    case CURLE_GOT_NOTHING:
      return {io, shown + "the server closed the connection without an answer"};
    case CURLE_SEND_ERROR: return {io, shown + "the connection broke while the request was sent"};
    case CURLE_RECV_ERROR:
      return {io, shown + "the connection was reset " +
                      (body_bytes_ == 0 ? "before an answer" : "after " + arrived)};
    case CURLE_PARTIAL_FILE: {
      curl_off_t expected = 0;
      curl_easy_getinfo(handle_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &expected);
      return {io, shown + "the answer ended after " + std::to_string(body_bytes_) +
                      (expected > 0 ? " of " + std::to_string(expected) : "") + " bytes"};
    }
    case CURLE_PEER_FAILED_VERIFICATION:
      return {io, shown + "the TLS certificate of " + url_.host + " is not trusted: " + curl_text_,
              "if an authority of your own signed it, give that authority's certificate (PEM) by "
              "\xFF{ca-file}"};
    case CURLE_SSL_CACERT_BADFILE:
      return {io, options_.ca_file + ": contains no certificates of authorities that can be read",
              "give a file of PEM certificates"};
    case CURLE_SSL_CERTPROBLEM:
      return {io, options_.client_certificate + ": cannot be used as a client certificate",
              "give PEM files of a certificate and of its key"};
    case CURLE_SSL_CONNECT_ERROR:
      return {io, shown + "no TLS connection to " + server + because,
              "check that this port speaks https:, and whether the server wants a client "
              "certificate"};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return {ErrorKind::kInput, shown + server + " does not answer in HTTP", "check the port"};
    default: return {io, shown + "the request failed: " + curl_easy_strerror(code)};
  }
}

}  // namespace pgo::net
