// Credentials of a store that is asked over HTTP, from variables that begin alike:
//
//   PRODPGO_PYROSCOPE_TOKEN                              a bearer token
//   PRODPGO_PYROSCOPE_USER, PRODPGO_PYROSCOPE_PASSWORD   basic authentication
//
// Without them, ~/.netrc counts.
#pragma once

#include <functional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/net/http_url.h"

namespace pgo::store_access {

// The value of a variable; empty: it is not set.
using Environment = std::function<std::string(const std::string& name)>;

// Of this process.
std::string environment_variable(const std::string& name);

// The value of the header Authorization: "Bearer TOKEN" or "Basic BASE64"; empty: none. `prefix`:
// "PRODPGO_PYROSCOPE". Error: kUsage when only one of user and password is set, or both kinds are.
Result<std::string> authorization_of(const std::string& prefix, const Environment& environment);

// Error: kUsage where others could read on the way what is secret: by http:, and not to this
// machine itself.
Result<void> check_may_authorize(const std::string& prefix, const net::HttpUrl& url);

}  // namespace pgo::store_access
