#include "pgo/remote_registry/registry_session.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/base64.h"
#include "pgo/base/json_fields.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/shown_url.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/remote_registry/next_page.h"

namespace pgo {
namespace {

constexpr size_t kMaxToken = 1 << 20;
constexpr const char* kAuthorization = "Authorization";

// This machine's own traffic is on no wire, so it needs no TLS.
std::string scheme_of(const std::string& host, const RemoteRegistryOptions& options) {
  const Result<net::HttpUrl> url = net::parse_http_url("http://" + host);
  return options.plain_http || (url && url->is_loopback()) ? "http://" : "https://";
}

net::HttpOptions without_netrc(net::HttpOptions options) {
  options.netrc = false;
  return options;
}

net::HttpOptions without_certificate(net::HttpOptions options) {
  options.client_certificate.clear();
  options.client_key.clear();
  return options;
}

// One request whose body goes to a sink, if there is one.
class SessionTransfer final : public net::HttpTransfer {
 public:
  SessionTransfer(net::HttpRequest request, uint64_t max_bytes, BlobSink* sink,
                  Result<net::HttpResponse>& outcome)
      : request_(std::move(request)), max_bytes_(max_bytes), sink_(sink), outcome_(outcome) {}

  Result<net::HttpRequest> request() override { return request_; }
  Result<void> begin(const net::HttpResponse&) override {
    received_ = 0;
    body_.clear();
    return sink_ != nullptr ? sink_->restart() : ok();
  }
  Result<void> append(Bytes bytes) override {
    received_ += bytes.size();
    if (received_ > max_bytes_)
      return fail(ErrorKind::kInput, request_.shown + ": the answer has more than " +
                                         std::to_string(max_bytes_) + " bytes");
    if (sink_ != nullptr) return sink_->append(bytes);
    body_.append(as_text(bytes));
    return ok();
  }
  void end(Result<net::HttpResponse> outcome) override {
    if (outcome && outcome->is_success()) outcome->body = std::move(body_);
    outcome_ = std::move(outcome);
  }

 private:
  net::HttpRequest request_;
  uint64_t max_bytes_;
  BlobSink* sink_;
  Result<net::HttpResponse>& outcome_;
  uint64_t received_ = 0;
  std::string body_;
};

// {"errors": [{"code": "MANIFEST_UNKNOWN", "message": "manifest unknown"}]}: the first of them.
std::string registry_error(std::string_view body) {
  const nlohmann::json object = nlohmann::json::parse(body, nullptr, false);
  if (!object.is_object() || !object.contains("errors")) return {};
  const nlohmann::json& errors = object["errors"];
  if (!errors.is_array() || errors.empty() || !errors[0].is_object()) return {};
  JsonProblem ignored;
  JsonFields first(errors[0], "error", ignored);
  const std::string code = first.optional_text("code"), message = first.optional_text("message");
  return code + (code.empty() || message.empty() ? "" : ": ") + message;
}

}  // namespace

RegistrySession::RegistrySession(const std::string& host, const std::string& repository,
                                 RemoteRegistryOptions options)
    : host_(host),
      name_("oci://" + host + "/" + repository),
      base_(scheme_of(host, options) + host + "/v2/" + repository),
      options_(std::move(options)),
      client_(without_netrc(options_.http)),
      store_client_(without_certificate(without_netrc(options_.http))) {}

Result<net::HttpResponse> RegistrySession::send(net::HttpRequest request) {
  return send_with_sink(std::move(request), options_.http.max_body, nullptr);
}

Result<net::HttpResponse> RegistrySession::send_with_sink(net::HttpRequest request,
                                                          uint64_t max_bytes, BlobSink* sink) {
  if (request.shown.empty()) request.shown = name_;
  request.redirects = net::Redirects::kReturn;
  bool is_authorized = false;
  for (;;) {
    net::HttpRequest one = request;
    if (!authorization_.empty()) one.headers.emplace_back(kAuthorization, authorization_);
    PGO_TRY(net::HttpResponse answer, send_once(client(), std::move(one), max_bytes, sink));
    if (answer.status != 401) return answer;
    // A token of an earlier request may have expired, or be for reading only: a new one, once.
    PGO_TRY(const bool has_more, is_authorized ? Result<bool>(false) : authorize(answer));
    if (!has_more) return refusal(answer, {});
    is_authorized = true;
  }
}

Result<net::HttpResponse> RegistrySession::send_once(net::HttpClient& client,
                                                     net::HttpRequest request, uint64_t max_bytes,
                                                     BlobSink* sink) {
  Result<net::HttpResponse> outcome = net::HttpResponse{};
  auto transfer = std::make_unique<SessionTransfer>(std::move(request), max_bytes, sink, outcome);
  client.run([&]() -> std::unique_ptr<net::HttpTransfer> { return std::move(transfer); });
  return outcome;
}

Result<net::HttpResponse> RegistrySession::fetch(const std::string& url, uint64_t max_bytes,
                                                 BlobSink& sink) {
  PGO_TRY(net::HttpResponse answer, send_with_sink({.url = url}, max_bytes, &sink));
  if (!answer.is_redirect()) return answer;
  PGO_TRY(const net::HttpUrl asked, net::parse_http_url(url));
  PGO_TRY(const net::HttpUrl target, resolve_location(answer.header("location"), asked));
  if (target.scheme != "https" && asked.scheme == "https")
    return fail(ErrorKind::kIo, name_ + ": leads from https to " + target.origin());
  // What a store needs to know is in the URL.
  return send_once(target.origin() == asked.origin() ? client_ : store_client_,
                   {.url = target.text(), .shown = name_ + " at " + target.origin()}, max_bytes,
                   &sink);
}

Result<bool> RegistrySession::authorize(const net::HttpResponse& answer) {
  const std::optional<AuthChallenge> challenge =
      parse_auth_challenge(answer.header("www-authenticate"));
  if (!challenge) return false;
  PGO_CHECK(find_own_credentials());
  if (challenge->scheme == AuthChallenge::Scheme::kBearer) {
    PGO_TRY(const std::string token, ask_for_token(*challenge));
    authorization_ = "Bearer " + token;
    return true;
  }
  if (!credentials_) return netrc_client_.has_value();
  if (credentials_->user.empty()) return false;
  authorization_ = "Basic " + to_base64(credentials_->user + ":" + credentials_->password);
  return true;
}

Result<void> RegistrySession::find_own_credentials() {
  if (std::exchange(has_looked_, true)) return ok();
  const std::string& path = options_.docker_config;
  std::error_code ignored;
  if (!path.empty() && std::filesystem::is_regular_file(path, ignored)) {
    PGO_TRY(const MappedFile file, MappedFile::open(path));
    PGO_TRY(credentials_, find_credentials(as_text(file.bytes()), path, host_));
  }
  if (!credentials_ && options_.http.netrc) netrc_client_.emplace(options_.http);
  return ok();
}

Result<std::string> RegistrySession::ask_for_token(const AuthChallenge& challenge) {
  Result<net::HttpUrl> realm = net::parse_http_url(challenge.realm);
  if (!realm)
    return fail(ErrorKind::kInput, name_ + ": names a token server with an invalid URL: " +
                                       url_without_secrets(challenge.realm));
  if (realm->scheme != "https" && !realm->is_loopback() && !options_.plain_http)
    return fail(ErrorKind::kIo, name_ + ": names a token server without TLS: " + realm->origin(),
                "\xFF{plain-http} allows it");
  const std::string what = "service=" + net::percent_encode(challenge.service) +
                           "&scope=" + net::percent_encode(challenge.scope);
  net::HttpRequest request;
  request.shown = realm->shown();
  if (credentials_ && !credentials_->identity_token.empty()) {
    request.method = "POST";
    request.url = realm->text();
    request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    request.body = what + "&grant_type=refresh_token&client_id=prodpgo&refresh_token=" +
                   net::percent_encode(credentials_->identity_token);
  } else {
    realm->query += (realm->query.empty() ? "" : "&") + what;
    request.url = realm->text();
    if (credentials_)
      request.headers.emplace_back(
          kAuthorization, "Basic " + to_base64(credentials_->user + ":" + credentials_->password));
  }
  PGO_TRY(const net::HttpUrl registry, net::parse_http_url(base_));
  const bool is_elsewhere = realm->origin() != registry.origin();
  net::HttpClient elsewhere(without_certificate(client().options()));
  PGO_TRY(const net::HttpResponse answer,
          send_once(is_elsewhere ? elsewhere : client(), std::move(request), kMaxToken, nullptr));
  if (!answer.is_success()) {
    Error error = net::status_error(realm->shown() + ", the token server of " + name_, answer,
                                    registry_error(answer.body));
    if (answer.status == 401) error.advice = login_advice();
    return fail(std::move(error));
  }
  PGO_TRY(const nlohmann::json object,
          parse_json(answer.body, kMaxToken, realm->shown(), "the answer is not a token"));
  JsonProblem problem;
  JsonFields fields(object, "the answer", problem);
  std::string token = fields.optional_text("token");
  if (token.empty()) token = fields.text("access_token");
  if (problem.first) return fail(ErrorKind::kInput, realm->shown() + ": " + *problem.first);
  return token;
}

std::string RegistrySession::login_advice() const {
  if (credentials_) return "it does not accept the user and password of " + options_.docker_config;
  return "neither docker's config.json nor ~/.netrc has a user and a password that it accepts; "
         "'docker login " +
         host_ + "' writes them";
}

Failure RegistrySession::refusal(const net::HttpResponse& answer, std::string_view what) const {
  const std::string shown = name_ + (what.empty() ? "" : ": " + std::string(what));
  Error error = net::status_error(shown, answer, registry_error(answer.body));
  if (answer.status == 401) error.advice = login_advice();
  return fail(std::move(error));
}

}  // namespace pgo
