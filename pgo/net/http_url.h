// HttpUrl: an http: or https: URL in its parts, and how messages show it: without user, password
// and query, which may be secret.
//
//   PGO_TRY(HttpUrl url, parse_http_url("https://web-1:6060/debug/pprof/profile?seconds=30"));
//   url.origin()      "https://web-1:6060"
//   url.shown()       "https://web-1:6060/debug/pprof/profile"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo::net {

struct HttpUrl {
  std::string scheme;  // "http", "https"
  std::string host;    // in lower case; an IPv6 address in its usual form, in brackets
  uint16_t port = 80;
  std::string path = "/";  // percent-encoded
  std::string query;       // behind '?'; empty: none

  // The port only if it is not the scheme's own.
  std::string host_and_port() const;
  // Two URLs of one origin reach one server: "http://host:8080".
  std::string origin() const;
  std::string shown() const;
  std::string text() const;
  // This machine itself, by its usual names and addresses.
  bool is_loopback() const;

  bool operator==(const HttpUrl&) const = default;
};

// A fragment is left out. Errors: kUsage, without what may be secret.
Result<HttpUrl> parse_http_url(std::string_view text);

}  // namespace pgo::net
