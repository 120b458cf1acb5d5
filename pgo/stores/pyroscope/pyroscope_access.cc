#include "pgo/stores/pyroscope/pyroscope_access.h"

namespace pgo::pyroscope {

namespace {

constexpr const char* kVariables = "PRODPGO_PYROSCOPE";
constexpr uint64_t kMaxAnswer = 256 << 20;

}  // namespace

net::HttpRequest PyroscopeAccess::request(std::string_view method, std::string body) const {
  net::HttpRequest request = {.method = "POST", .url = location.url(method)};
  request.headers = {{"Content-Type", "application/proto"},
                     {"Connect-Protocol-Version", "1"},
                     // Names of labels come as they are, also those with dots.
                     {"Accept", "*/*;allow-utf8-labelnames=true"}};
  if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
  if (!tenant.empty()) request.headers.emplace_back("X-Scope-OrgID", tenant);
  request.body = std::move(body);
  request.shown = location.shown;
  return request;
}

Result<PyroscopeAccess> pyroscope_access(store_access::StoreLocation location,
                                         const store_access::Environment& environment,
                                         net::HttpOptions http) {
  PyroscopeAccess access;
  PGO_TRY(access.authorization, store_access::authorization_of(kVariables, environment));
  if (!access.authorization.empty())
    PGO_CHECK(store_access::check_may_authorize(kVariables, location.base));
  access.tenant = environment(std::string(kVariables) + "_TENANT");
  access.location = std::move(location);
  access.http = std::move(http);
  access.http.max_body = kMaxAnswer;
  return access;
}

}  // namespace pgo::pyroscope
