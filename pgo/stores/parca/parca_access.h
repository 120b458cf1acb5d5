// How a Parca server is reached: its URL, the credentials, and in which form it speaks gRPC.
//
// Parca answers gRPC-Web over HTTP/1.1 at the port of its pages. Polar Signals Cloud wants gRPC
// over HTTP/2 (the parameter protocol=grpc), a bearer token and a project.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/grpc_message.h"
#include "pgo/net/http_client.h"
#include "pgo/store_access/store_credentials.h"
#include "pgo/store_access/store_location.h"

namespace pgo::parca {

inline constexpr const char* kParca = "parca";

struct ParcaAccess {
  store_access::StoreLocation location;
  net::GrpcForm form = net::GrpcForm::kWeb;
  std::string authorization, project;  // empty: none
  net::HttpOptions http;

  // Of a method: "/parca.query.v1alpha1.QueryService/Query".
  net::HttpRequest request(std::string_view method, std::string_view message) const;
};

// PRODPGO_PARCA_TOKEN, _USER with _PASSWORD (of a proxy), and _PROJECT. Errors: kUsage.
Result<ParcaAccess> parca_access(store_access::StoreLocation location,
                                 const store_access::Environment& environment,
                                 net::HttpOptions http);

}  // namespace pgo::parca
