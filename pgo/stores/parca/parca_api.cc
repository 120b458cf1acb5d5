#include "pgo/stores/parca/parca_api.h"

namespace pgo::parca {

using store_access::ApiAnswer;

net::HttpRequest ParcaApi::request(const std::string& method, const std::string& message) const {
  net::HttpRequest request =
      net::grpc_request(form_, server_.location.url(method), server_.headers, message);
  request.shown = name();
  return request;
}

ApiAnswer ParcaApi::read(const net::HttpResponse& response, const std::string& shown) const {
  Result<net::GrpcAnswer> answer = net::read_grpc_answer(response, shown);
  if (!answer) return ApiAnswer::failed(answer.error());
  if (answer->status == net::kGrpcOk)
    return {ApiAnswer::Kind::kMessage, std::move(answer->message), {}};
  const auto kind = [&] {
    switch (answer->status) {
      case net::kGrpcNotFound: return ApiAnswer::Kind::kNothing;
      case net::kGrpcResourceExhausted: return ApiAnswer::Kind::kTooMuch;
      case net::kGrpcUnimplemented: return ApiAnswer::Kind::kUnknownMethod;
      default: return ApiAnswer::Kind::kError;
    }
  }();
  return {kind, {}, net::grpc_error(shown, *answer)};
}

Result<std::unique_ptr<ParcaApi>> open_parca_api(std::string_view location,
                                                 std::set<std::string, std::less<>> parameters,
                                                 const store_access::Environment& environment,
                                                 const net::HttpOptions& http) {
  constexpr store_access::StoreKind kKind = {"PRODPGO_PARCA", "project", "PRODPGO_PARCA_PROJECT",
                                             "projectID"};
  parameters.insert("protocol");
  PGO_TRY(store_access::StoreLocation parsed,
          store_access::parse_store_location(location, kParca, parameters));
  const std::string& protocol = parsed.parameter("protocol");
  if (!protocol.empty() && protocol != "grpc" && protocol != "grpc-web")
    return fail(ErrorKind::kUsage,
                parsed.shown + ": the parameter 'protocol' is neither grpc nor grpc-web");
  const net::GrpcForm form = protocol == "grpc" ? net::GrpcForm::kHttp2 : net::GrpcForm::kWeb;
  PGO_TRY(store_access::StoreServer server,
          store_access::open_store_server(std::move(parsed), kKind, environment, http));
  return std::make_unique<ParcaApi>(std::move(server), form);
}

}  // namespace pgo::parca
