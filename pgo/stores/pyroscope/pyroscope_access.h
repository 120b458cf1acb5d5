// How a Pyroscope server is reached: its URL, the tenant and the credentials.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/store_access/store_credentials.h"
#include "pgo/store_access/store_location.h"

namespace pgo::pyroscope {

inline constexpr const char* kPyroscope = "pyroscope";

struct PyroscopeAccess {
  store_access::StoreLocation location;
  std::string authorization, tenant;  // empty: none
  net::HttpOptions http;

  // Of a method: "/querier.v1.QuerierService/Series".
  net::HttpRequest request(std::string_view method, std::string body) const;
};

// PRODPGO_PYROSCOPE_TOKEN, _USER with _PASSWORD, and _TENANT. Errors: kUsage.
Result<PyroscopeAccess> pyroscope_access(store_access::StoreLocation location,
                                         const store_access::Environment& environment,
                                         net::HttpOptions http);

}  // namespace pgo::pyroscope
