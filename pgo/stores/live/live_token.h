// LiveToken: the bearer token of live hosts, and which hosts it may be sent to.
//
// Over http: whoever is on the way reads a token, and a list that others write (service discovery)
// may name any host. So it is sent only by https:, or to this machine itself, and only to hosts
// that the user named (in the location, in a file of lines, as dns+NAME or as sd+URL) or allows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/net/http_url.h"

namespace pgo::live {

inline constexpr const char* kTokenVariable = "PRODPGO_TOKEN";
inline constexpr const char* kTokenHostsVariable = "PRODPGO_TOKEN_HOSTS";

enum class NamedBy { kUser, kDiscovery };

class LiveToken {
 public:
  LiveToken() = default;  // none
  // `hosts` are separated by commas: "web.internal" is one host, ".internal" all hosts below it.
  // Error: kUsage.
  static Result<LiveToken> parse(const std::string& text, std::string_view hosts);

  bool is_set() const { return !text_.empty(); }
  // The header's value: "Bearer TOKEN".
  std::string authorization() const { return "Bearer " + text_; }
  // Why it is not sent to the host of `url`; nothing: it is, or there is none.
  std::optional<std::string> refusal(const net::HttpUrl& url, NamedBy named_by) const;

 private:
  std::string text_;
  std::vector<std::string> hosts_;  // in lower case
};

}  // namespace pgo::live
