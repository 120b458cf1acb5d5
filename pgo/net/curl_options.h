// CurlOptions: sets options of a handle of libcurl, and keeps the first that it refuses.
//
//   CurlOptions options(curl);
//   options.set(CURLOPT_PATH_AS_IS, 1L);
//   PGO_CHECK(options.outcome("http://web/a"));
#pragma once

#include <curl/curl.h>

#include <string>

#include "pgo/base/result.h"

namespace pgo::net {

class CurlOptions {
 public:
  explicit CurlOptions(CURL* curl) : curl_(curl) {}

  // A long, a curl_off_t or a pointer, as the option wants it.
  template <typename T>
  void set(CURLoption option, T value) {
    if (code_ != CURLE_OK) return;
    code_ = curl_easy_setopt(curl_, option, value);
    option_ = option;
  }

  // Error: kInternal, "SHOWN: libcurl refuses its option CAINFO: " and libcurl's text.
  Result<void> outcome(const std::string& shown) const {
    if (code_ == CURLE_OK) return ok();
    const curl_easyoption* option = curl_easy_option_by_id(option_);
    return fail(ErrorKind::kInternal, shown + ": libcurl refuses its option " +
                                          (option ? option->name : std::to_string(option_)) + ": " +
                                          curl_easy_strerror(code_));
  }

 private:
  CURL* curl_;
  CURLcode code_ = CURLE_OK;
  CURLoption option_ = CURLOPT_URL;  // that was set last
};

}  // namespace pgo::net
