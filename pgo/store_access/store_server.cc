#include "pgo/store_access/store_server.h"

namespace pgo::store_access {
namespace {

constexpr uint64_t kMaxAnswer = 256 << 20;

}  // namespace

Result<StoreServer> open_store_server(StoreLocation location, const StoreKind& kind,
                                      const Environment& environment, net::HttpOptions http) {
  StoreServer server;
  PGO_TRY(const std::string authorization, authorization_of(kind.variables, environment));
  if (!authorization.empty()) {
    PGO_CHECK(check_may_authorize(kind.variables, location.base));
    server.headers.emplace_back("Authorization", authorization);
  }
  server.identity = location.shown;
  if (const std::string part = environment(kind.part_variable); !part.empty()) {
    server.headers.emplace_back(kind.part_header, part);
    server.identity += std::string(" of the ") + kind.part + " " + part;
  }
  server.location = std::move(location);
  server.http = std::move(http);
  server.http.max_body = kMaxAnswer;
  return server;
}

}  // namespace pgo::store_access
