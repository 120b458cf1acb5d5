// Parca's API: gRPC, over HTTP/1.1 as gRPC-Web, or over HTTP/2.
//
// Parca answers gRPC-Web at the port of its pages. Polar Signals Cloud wants gRPC over HTTP/2 (the
// parameter protocol=grpc), a bearer token and a project.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/grpc_message.h"
#include "pgo/net/http_client.h"
#include "pgo/store_access/store_api.h"
#include "pgo/store_access/store_server.h"

namespace pgo::parca {

inline constexpr const char* kParca = "parca";

class ParcaApi final : public store_access::StoreApi {
 public:
  ParcaApi(store_access::StoreServer server, net::GrpcForm form)
      : server_(std::move(server)), form_(form) {}

  const store_access::StoreServer& server() const { return server_; }
  const std::string& name() const override { return server_.location.shown; }
  // `method`: "/parca.query.v1alpha1.QueryService/Query".
  net::HttpRequest request(const std::string& method, const std::string& message) const override;
  store_access::ApiAnswer read(const net::HttpResponse& response,
                               const std::string& shown) const override;

 private:
  store_access::StoreServer server_;
  net::GrpcForm form_;
};

// `parameters`: those that the URL may have, besides `protocol`. Errors: kUsage.
Result<std::unique_ptr<ParcaApi>> open_parca_api(std::string_view location,
                                                 std::set<std::string, std::less<>> parameters,
                                                 const store_access::Environment& environment,
                                                 const net::HttpOptions& http);

}  // namespace pgo::parca
