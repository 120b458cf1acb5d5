#include "pgo/stores/pyroscope/pyroscope_api.h"

#include "pgo/stores/pyroscope/connect_error.h"

namespace pgo::pyroscope {

using store_access::ApiAnswer;

net::HttpRequest PyroscopeApi::request(const std::string& method,
                                       const std::string& message) const {
  net::HttpRequest request = {.method = "POST",
                              .url = server_.location.url(method),
                              .headers = server_.headers,
                              .body = message,
                              .shown = name()};
  request.headers.emplace_back("Content-Type", "application/proto");
  request.headers.emplace_back("Connect-Protocol-Version", "1");
  // Names of labels come as they are, also those with dots.
  request.headers.emplace_back("Accept", "*/*;allow-utf8-labelnames=true");
  return request;
}

ApiAnswer PyroscopeApi::read(const net::HttpResponse& response, const std::string& shown) const {
  if (response.is_success() && response.is_html()) return ApiAnswer::failed(net::page_error(shown));
  if (response.is_success()) return {ApiAnswer::Kind::kMessage, response.body, {}};
  const ConnectError said = parse_connect_error(response.body);
  const auto kind = is_window_too_long(said)                   ? ApiAnswer::Kind::kTooMuch
                    : is_unknown_method(response.status, said) ? ApiAnswer::Kind::kUnknownMethod
                                                               : ApiAnswer::Kind::kError;
  return {kind, {}, pyroscope_error(shown, response)};
}

Result<std::unique_ptr<PyroscopeApi>> open_pyroscope_api(
    std::string_view location, const std::set<std::string, std::less<>>& parameters,
    const store_access::Environment& environment, const net::HttpOptions& http) {
  constexpr store_access::StoreKind kKind = {"PRODPGO_PYROSCOPE", "tenant",
                                             "PRODPGO_PYROSCOPE_TENANT", "X-Scope-OrgID"};
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, kPyroscope, parameters));
  PGO_TRY(store_access::StoreServer server,
          store_access::open_store_server(std::move(parsed), kKind, environment, http));
  return std::make_unique<PyroscopeApi>(std::move(server));
}

}  // namespace pgo::pyroscope
