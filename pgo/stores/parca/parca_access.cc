#include "pgo/stores/parca/parca_access.h"

namespace pgo::parca {

namespace {

constexpr const char* kVariables = "PRODPGO_PARCA";
constexpr uint64_t kMaxAnswer = 256 << 20;

}  // namespace

net::HttpRequest ParcaAccess::request(std::string_view method, std::string_view message) const {
  std::vector<std::pair<std::string, std::string>> headers;
  if (!authorization.empty()) headers.emplace_back("Authorization", authorization);
  if (!project.empty()) headers.emplace_back("projectID", project);
  net::HttpRequest request =
      net::grpc_request(form, location.url(method), std::move(headers), message);
  request.shown = location.shown;
  return request;
}

Result<ParcaAccess> parca_access(store_access::StoreLocation location,
                                 const store_access::Environment& environment,
                                 net::HttpOptions http) {
  ParcaAccess access;
  const std::string& protocol = location.parameter("protocol");
  if (!protocol.empty() && protocol != "grpc" && protocol != "grpc-web")
    return fail(ErrorKind::kUsage, location.shown +
                                       ": the parameter 'protocol' is neither grpc nor "
                                       "grpc-web");
  if (protocol == "grpc") access.form = net::GrpcForm::kHttp2;
  PGO_TRY(access.authorization, store_access::authorization_of(kVariables, environment));
  if (!access.authorization.empty())
    PGO_CHECK(store_access::check_may_authorize(kVariables, location.base));
  access.project = environment(std::string(kVariables) + "_PROJECT");
  access.location = std::move(location);
  access.http = std::move(http);
  access.http.max_body = kMaxAnswer;
  return access;
}

}  // namespace pgo::parca
