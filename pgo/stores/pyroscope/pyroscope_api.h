// Pyroscope's API: Connect, which is a message as the body of an HTTP request.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/store_access/store_api.h"
#include "pgo/store_access/store_server.h"

namespace pgo::pyroscope {

inline constexpr const char* kPyroscope = "pyroscope";

class PyroscopeApi final : public store_access::StoreApi {
 public:
  explicit PyroscopeApi(store_access::StoreServer server) : server_(std::move(server)) {}

  const store_access::StoreServer& server() const { return server_; }
  const std::string& name() const override { return server_.location.shown; }
  // `method`: "/querier.v1.QuerierService/Series".
  net::HttpRequest request(const std::string& method, const std::string& message) const override;
  store_access::ApiAnswer read(const net::HttpResponse& response,
                               const std::string& shown) const override;

 private:
  store_access::StoreServer server_;
};

// `parameters`: those that the URL may have. Errors: kUsage.
Result<std::unique_ptr<PyroscopeApi>> open_pyroscope_api(
    std::string_view location, const std::set<std::string, std::less<>>& parameters,
    const store_access::Environment& environment, const net::HttpOptions& http);

}  // namespace pgo::pyroscope
