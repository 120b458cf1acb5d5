#include "pgo/stores/s3/credentials.h"

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "pgo/base/json_fields.h"
#include "pgo/base/json_nesting.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/time_text.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/stores/s3/s3_answers.h"

namespace pgo::s3 {

namespace {

// Keys that expire this soon, in seconds, are renewed: a transfer may wait before it begins.
constexpr int64_t kRenewBefore = 300;
constexpr uint64_t kMaxTokenFile = 64 << 10;
constexpr size_t kMaxNesting = 16;  // of JSON

// The trimmed contents of a file that holds a token.
Result<std::string> read_token(const std::string& path) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.limit = kMaxTokenFile}));
  std::string_view text = as_text(file.bytes());
  if (text.size() > kMaxTokenFile)
    return fail(ErrorKind::kInput, path + ": is not a token: too large");
  while (!text.empty() && static_cast<uint8_t>(text.back()) <= ' ') text.remove_suffix(1);
  // It becomes a header.
  for (char c : text)
    if (static_cast<uint8_t>(c) <= ' ') return fail(ErrorKind::kInput, path + ": is not a token");
  if (text.empty()) return fail(ErrorKind::kInput, path + ": is empty: no token");
  return std::string(text);
}

std::optional<int64_t> expiration(const std::string& text) {
  const std::optional<int64_t> time = parse_time(text);
  if (!time) return std::nullopt;
  return *time / 1'000'000'000;
}

// What becomes part of a header must not end it.
bool is_header_text(const AwsKeys& keys) {
  for (const std::string* text : {&keys.access_key, &keys.secret_key, &keys.session_token})
    for (char c : *text)
      if (static_cast<uint8_t>(c) <= ' ' || c == 127) return false;
  return !keys.access_key.empty() && !keys.secret_key.empty();
}

Failure no_answer(const std::string& shown, const net::HttpResponse& response) {
  const StoreError error = parse_error(response.status, response.body);
  std::string text = shown + ": answered " + std::to_string(response.status);
  if (!error.code.empty()) text += " " + error.code;
  return fail(ErrorKind::kIo, text);
}

}  // namespace

Result<TemporaryKeys> parse_sts_answer(std::string_view xml, const std::string& shown) {
  pugi::xml_document document;
  document.load_buffer(xml.data(), xml.size());
  const pugi::xml_node node = document.child("AssumeRoleWithWebIdentityResponse")
                                  .child("AssumeRoleWithWebIdentityResult")
                                  .child("Credentials");
  TemporaryKeys keys;
  keys.keys = {node.child_value("AccessKeyId"), node.child_value("SecretAccessKey"),
               node.child_value("SessionToken")};
  keys.expires = expiration(node.child_value("Expiration"));
  if (!is_header_text(keys.keys))
    return fail(ErrorKind::kInput, shown + ": its answer has no keys");
  return keys;
}

Result<TemporaryKeys> parse_key_document(std::string_view json, const std::string& shown) {
  nlohmann::json document;
  if (!is_json_nested_deeper(json, kMaxNesting))
    document = nlohmann::json::parse(json, nullptr, false);
  TemporaryKeys keys;
  keys.keys = {text_member(document, "AccessKeyId"), text_member(document, "SecretAccessKey"),
               text_member(document, "Token")};
  keys.expires = expiration(text_member(document, "Expiration"));
  if (!is_header_text(keys.keys))
    return fail(ErrorKind::kInput, shown + ": its answer has no keys");
  return keys;
}

Credentials::Credentials(AwsSettings settings, HttpSend send, Clock clock)
    : settings_(std::move(settings)), send_(std::move(send)), clock_(std::move(clock)) {}

Result<std::optional<AwsKeys>> Credentials::keys() {
  if (settings_.source == KeySource::kAnonymous) return std::optional<AwsKeys>();
  const bool is_fresh =
      current_ && (!current_->expires || *current_->expires - kRenewBefore > clock_());
  if (!is_fresh) {
    PGO_TRY(current_, fetch());
    ++generation_;
  }
  return std::optional<AwsKeys>(current_->keys);
}

bool Credentials::reject() {
  if (settings_.source == KeySource::kFixed || settings_.source == KeySource::kAnonymous)
    return false;
  current_.reset();
  return true;
}

Result<TemporaryKeys> Credentials::fetch() const {
  static constexpr const char* kAdvice =
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or "
      "AWS_NO_SIGN_REQUEST=true "
      "for a public bucket";
  switch (settings_.source) {
    case KeySource::kAnonymous:
    case KeySource::kFixed: {
      if (!is_header_text(settings_.keys))
        return fail(ErrorKind::kUsage,
                    "the keys of " + settings_.origin + " contain spaces or control characters");
      return TemporaryKeys{settings_.keys, std::nullopt};
    }
    case KeySource::kWebIdentity: return assume_role();
    case KeySource::kContainer: return ask_container();
    case KeySource::kInstance: {
      Result<TemporaryKeys> keys = ask_instance();
      // On most machines there is no such service: then nobody wanted it.
      if (!keys)
        return fail(ErrorKind::kUsage,
                    "there are no keys for S3 in the environment or in ~/.aws, and this machine "
                    "is not an instance with a role (" +
                        keys.error().message + ")",
                    kAdvice);
      return keys;
    }
    case KeySource::kNone: break;
  }
  return fail(ErrorKind::kUsage, "there are no keys for S3 in the environment or in ~/.aws",
              kAdvice);
}

Result<TemporaryKeys> Credentials::assume_role() const {
  PGO_TRY(const std::string token, read_token(settings_.token_file));
  net::HttpRequest request;
  request.method = "POST";
  request.url = settings_.sts_endpoint;
  if (request.url.empty())
    request.url = settings_.region.empty() ? "https://sts.amazonaws.com"
                                           : "https://sts." + aws_domain(settings_.region);
  request.url += "/";
  request.shown = "STS (" + request.url + ")";
  request.headers = {{"content-type", "application/x-www-form-urlencoded"}};
  request.body = net::encode_query({{"Action", "AssumeRoleWithWebIdentity"},
                                    {"RoleArn", settings_.role_arn},
                                    {"RoleSessionName", settings_.session_name},
                                    {"Version", "2011-06-15"},
                                    {"WebIdentityToken", token}});
  const std::string shown = request.shown;
  PGO_TRY(const net::HttpResponse response, send_(std::move(request)));
  if (response.status == 200) return parse_sts_answer(response.body, shown);
  Failure failure = no_answer(shown, response);
  failure.error.message += " for the web identity in " + settings_.token_file;
  failure.error.advice = "check AWS_ROLE_ARN, and that the role trusts this identity";
  return failure;
}

Result<TemporaryKeys> Credentials::ask_container() const {
  net::HttpRequest request;
  request.url = settings_.container_url;
  request.shown = "the credentials of this container (" + settings_.origin + ")";
  std::string token = settings_.container_token;
  if (!settings_.container_token_file.empty()) {
    PGO_TRY(token, read_token(settings_.container_token_file));
  }
  if (token.find_first_of("\r\n") != token.npos)
    return fail(ErrorKind::kUsage, "AWS_CONTAINER_AUTHORIZATION_TOKEN is not a token");
  if (!token.empty()) request.headers = {{"authorization", token}};
  const std::string shown = request.shown;
  PGO_TRY(const net::HttpResponse response, send_(std::move(request)));
  if (response.status != 200) return no_answer(shown, response);
  return parse_key_document(response.body, shown);
}

Result<TemporaryKeys> Credentials::ask_instance() const {
  const std::string base = settings_.instance_endpoint + "/latest/";
  const std::string shown = "the instance's metadata service";
  net::HttpRequest request;
  request.method = "PUT";
  request.url = base + "api/token";
  request.shown = shown;
  request.headers = {{"x-aws-ec2-metadata-token-ttl-seconds", "21600"}};
  PGO_TRY(const net::HttpResponse token, send_(request));
  if (token.status != 200) return no_answer(shown, token);
  if (token.body.empty() || token.body.find_first_of("\r\n") != token.body.npos)
    return fail(ErrorKind::kInput, shown + ": answered no token");

  request.method = "GET";
  request.url = base + "meta-data/iam/security-credentials/";
  request.headers = {{"x-aws-ec2-metadata-token", token.body}};
  PGO_TRY(const net::HttpResponse roles, send_(request));
  const std::string role = roles.body.substr(0, roles.body.find_first_of("\r\n"));
  if (roles.status == 404 || (roles.status == 200 && role.empty()))
    return fail(ErrorKind::kIo, "this instance has no role");
  if (roles.status != 200) return no_answer(shown, roles);

  request.url += net::percent_encode(role);
  PGO_TRY(const net::HttpResponse response, send_(request));
  if (response.status != 200) return no_answer(shown, response);
  return parse_key_document(response.body, shown);
}

}  // namespace pgo::s3
