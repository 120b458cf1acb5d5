// StoreLocation: a store that is asked over HTTP, as a source or a destination names it:
//
//   pyroscope+https://pyroscope:4040/prefix?type=...&selector=...
//   KIND+http(s)://HOST[:PORT][/PATH][?NAME=VALUE&...]
//
// The path is what a proxy has in front of the store. Values are percent-encoded; what no URL needs
// to encode may stay as it is ("{", "\"", "=").
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_url.h"

namespace pgo::store_access {

struct StoreLocation {
  net::HttpUrl base;  // without a query; its path has no slash at its end
  std::map<std::string, std::string, std::less<>> parameters;
  std::string shown;  // "pyroscope+https://pyroscope:4040/prefix?type=..."; nothing in it is secret

  // Of the service: `path` begins with a slash and is percent-encoded.
  std::string url(std::string_view path) const;
  // The value of a parameter; empty: it was not given.
  const std::string& parameter(std::string_view name) const;
};

// "pyroscope+http://..." for the kind "pyroscope"?
bool is_store_location(std::string_view text, std::string_view kind);

// `known`: the parameters that this kind of store takes. Errors: kUsage, for others, for a user or
// a password, and for what is no URL.
Result<StoreLocation> parse_store_location(std::string_view text, std::string_view kind,
                                           const std::set<std::string, std::less<>>& known);

}  // namespace pgo::store_access
