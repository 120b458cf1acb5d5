// HttpExchange: one transfer of an HttpClient: its tries, each sent through a handle of libcurl,
// and what becomes of them. The client's loop runs the handle and waits between the tries.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/net/http.h"
#include "pgo/net/http_client.h"
#include "pgo/net/http_url.h"

namespace pgo::net {

class CurlOptions;

class HttpExchange {
 public:
  enum class Step {
    kEnd,      // call end()
    kSend,     // send the handle at once: a redirect within the origin
    kRetried,  // call prepare() again, after a pause
  };

  HttpExchange(std::unique_ptr<HttpTransfer> transfer, const HttpOptions& options);

  // Asks the transfer for its request, and prepares the handle for it. kSend or kEnd.
  Step prepare();
  // Of the latest try; null before the first.
  CURL* handle() const { return handle_.get(); }

  // After libcurl has finished with the handle.
  Step finish(CURLcode code);
  // That no byte came or went for stall_timeout, or that the answer is not complete after
  // total_timeout; not while a connection is made, which has a time-out of its own.
  std::optional<Error> overdue(SteadyTime now);
  // Instead of finish().
  Step finish_overdue(Error error);
  // Before end(), whatever happened till then.
  void give_up(Error error);
  // give_up(), because the client's time is over.
  void stop();

  unsigned tries() const { return tries_; }
  // What Retry-After asks for; nothing when the latest try got no answer.
  std::optional<double> asked_pause() const;
  // Hands the outcome over to the transfer.
  void end();

  SteadyTime next_try;  // the loop's: when prepare() is due, while it waits
  bool is_waiting = false;

 private:
  struct FreeHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  using CurlList = std::unique_ptr<curl_slist, FreeHandle>;

  Result<void> set_up();
  void set_method(CurlOptions& options);
  void set_security(CurlOptions& options);
  Result<void> set_lists(CurlOptions& options);
  Result<CurlList> list_of(const std::vector<std::string>& lines) const;
  double connect_timeout() const;
  Step follow_redirect();
  Step finish_answer();
  Step fail_try(Error error, bool is_temporary);
  Error error_of(CURLcode code);
  bool may_retry() const;
  int status() const;
  long http_version() const;

  bool take_header(std::string_view line);
  bool take_body(Bytes body);
  static size_t on_header(char* data, size_t size, size_t count, void* exchange);
  static size_t on_body(char* data, size_t size, size_t count, void* exchange);
  static int on_progress(void* exchange, curl_off_t, curl_off_t received, curl_off_t,
                         curl_off_t sent);

  std::unique_ptr<HttpTransfer> transfer_;
  const HttpOptions& options_;
  std::unique_ptr<CURL, FreeHandle> handle_;
  CurlList header_list_, connect_list_;
  HttpRequest request_;
  HttpUrl url_;
  unsigned tries_ = 0, redirects_ = 0;

  // Of the latest try.
  HttpResponse response_;
  uint64_t header_bytes_ = 0, body_bytes_ = 0;
  bool is_begun_ = false;         // the transfer's begin() was called
  bool is_body_cut_ = false;      // as much of an error's body as is kept has arrived
  std::optional<Error> refusal_;  // of the transfer, or of a hostile answer: ends it
  curl_off_t moved_ = 0;          // bytes of the body, both ways, when they were last looked at
  SteadyTime started_, last_moved_;
  char curl_text_[CURL_ERROR_SIZE] = "";

  Result<HttpResponse> outcome_;
};

}  // namespace pgo::net
