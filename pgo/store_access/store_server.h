// StoreServer: how a store that is asked over HTTP is reached: its URL, the credentials, and the
// part of the server that belongs to the user (a tenant of Pyroscope, a project of Parca).
//
//   PRODPGO_PARCA_TOKEN, PRODPGO_PARCA_USER, PRODPGO_PARCA_PASSWORD, PRODPGO_PARCA_PROJECT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/store_access/store_credentials.h"
#include "pgo/store_access/store_location.h"

namespace pgo::store_access {

// What differs between the kinds of stores.
struct StoreKind {
  const char* variables;      // "PRODPGO_PARCA"
  const char* part;           // "project"
  const char* part_variable;  // "PRODPGO_PARCA_PROJECT"
  const char* part_header;    // "projectID"
};

struct StoreServer {
  StoreLocation location;
  std::vector<std::pair<std::string, std::string>> headers;  // of each request
  // The URL and the part of the server: other parts have other profiles.
  std::string identity;
  net::HttpOptions http;
};

// Errors: kUsage.
Result<StoreServer> open_store_server(StoreLocation location, const StoreKind& kind,
                                      const Environment& environment, net::HttpOptions http);

}  // namespace pgo::store_access
