#include "pgo/stores/s3/s3_bucket.h"

#include <algorithm>
#include <chrono>

#include "pgo/base/shown_url.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/source/source_address.h"

namespace pgo::s3 {
namespace {

constexpr std::string_view kScheme = "s3://";
constexpr const char* kFirstRegion = "us-east-1";

int64_t now_in_seconds() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

bool is_bucket_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '-' || c == '_';
         });
}

// Can it be part of a host name that a TLS certificate of *.s3.… is for?
bool is_host_label(std::string_view name) {
  return name.size() <= 63 && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

net::HttpOptions without_netrc(net::HttpOptions options) {
  options.netrc = false;  // its user and password would take the signature's place
  return options;
}

// Sends requests for keys: few, small and soon answered.
HttpSend key_sender(const net::HttpOptions& http, KeySource source) {
  net::HttpOptions options = without_netrc(http);
  options.parallel = 1;
  options.max_body = 1 << 20;
  // Where there is no such service, nobody answers.
  if (source == KeySource::kInstance) {
    options.tries = 1;
    options.connect_timeout = 1;
    options.total_timeout = 5;
  }
  auto client = std::make_shared<net::HttpClient>(std::move(options));
  return [client](net::HttpRequest request) { return client->send(std::move(request)); };
}

}  // namespace

std::string S3Address::text() const {
  return std::string(kScheme) + bucket + (prefix.empty() ? "" : "/" + prefix);
}

Result<S3Address> parse_s3_url(const std::string& url) {
  const std::string_view rest =
      url.starts_with(kScheme) ? std::string_view(url).substr(kScheme.size()) : std::string_view();
  const size_t slash = std::min(rest.find('/'), rest.size());
  S3Address address;
  address.bucket = rest.substr(0, slash);
  // Other tools take keys and signatures in URLs; ours would be shown in messages and bundles.
  if (address.bucket.find('@') != std::string::npos)
    return fail(ErrorKind::kUsage, url_without_secrets(url) + ": keys do not belong into a URL",
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE");
  if (rest.find("X-Amz-") != std::string_view::npos)
    return fail(ErrorKind::kUsage, url_without_secrets(url) + ": signed URLs are not supported",
                "name s3://BUCKET/PREFIX, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
                "AWS_PROFILE");
  if (!is_bucket_name(address.bucket))
    return fail(ErrorKind::kUsage, "'" + url_without_secrets(url) + "' is not s3://BUCKET/PREFIX");
  address.prefix = rest.substr(std::min(slash + 1, rest.size()));
  while (address.prefix.ends_with('/')) address.prefix.pop_back();
  return address;
}

Result<S3Bucket> S3Bucket::open(S3Address address, const Environment& environment,
                                net::HttpOptions http) {
  PGO_TRY(AwsSettings settings, read_aws_settings(environment));
  if (!settings.region.empty() && !is_region(settings.region))
    return fail(ErrorKind::kUsage, "the region of AWS cannot be '" + settings.region + "'",
                "check AWS_REGION");
  if (http.ca_file.empty()) http.ca_file = settings.ca_file;
  HttpSend send = key_sender(http, settings.source);
  return S3Bucket(std::move(address), std::move(settings), std::move(http), std::move(send),
                  now_in_seconds);
}

S3Bucket::S3Bucket(S3Address address, AwsSettings settings, net::HttpOptions http,
                   HttpSend send_for_keys, Clock clock)
    : address_(std::move(address)),
      settings_(settings),
      region_(settings.region.empty() ? kFirstRegion : settings.region),
      client_(without_netrc(std::move(http))),
      clock_(clock),
      credentials_(std::move(settings), std::move(send_for_keys), std::move(clock)) {}

std::string S3Bucket::shown(const std::string& key) const {
  return std::string(kScheme) + address_.bucket + (key.empty() ? "" : "/" + key);
}

std::string S3Bucket::url_of(const S3Request& request) const {
  std::string endpoint = settings_.endpoint;
  bool in_path = settings_.addressing == AddressingStyle::kPath;
  if (settings_.addressing == AddressingStyle::kAuto)
    in_path = !endpoint.empty() || !is_host_label(address_.bucket);
  if (endpoint.empty()) endpoint = "https://s3." + aws_domain(region_);
  std::string url = endpoint;
  if (in_path)
    url += "/" + address_.bucket;
  else
    url.insert(url.find("://") + 3, address_.bucket + ".");
  if (!request.key.empty())
    url += "/" + net::percent_encode_path(request.key);
  else if (!in_path)
    url += "/";
  if (!request.query.empty()) url += "?" + net::encode_query(request.query);
  return url;
}

Result<net::HttpRequest> S3Bucket::sign(const S3Request& request) {
  PGO_TRY(const std::optional<AwsKeys> keys, credentials_.keys());
  net::HttpRequest signed_request;
  signed_request.method = request.method;
  signed_request.url = url_of(request);
  signed_request.headers = request.headers;
  signed_request.body = request.body;
  signed_request.redirects = net::Redirects::kReturn;  // adapt() knows what they mean
  signed_request.shown = request.shown.empty() ? shown(request.key) : request.shown;
  if (keys) s3::sign(signed_request, *keys, {.region = region_}, clock_());
  signing_ = {region_, credentials_.generation()};
  return signed_request;
}

bool S3Bucket::adapt(const net::HttpResponse& response, const Signing& signing) {
  if (response.is_success()) return false;
  const StoreError error = parse_error(response.status, response.body);
  if (error.code == "ExpiredToken" || error.code == "TokenRefreshRequired")
    return signing.key_generation != credentials_.generation() || credentials_.reject();
  if (response.status != 301 && response.status != 307 && response.status != 400 &&
      response.status != 403)
    return false;
  std::string region = response.header("x-amz-bucket-region");
  if (!is_region(region)) region = error.region;
  if (region.empty() || region == signing.region) return false;
  region_ = region;
  return true;
}

RefusedRequest S3Bucket::refused(const S3Request& request) const {
  return {.shown = request.shown.empty() ? shown(request.key) : request.shown,
          .action = request.action,
          .bucket = address_.bucket,
          .endpoint = settings_.endpoint,
          .key_origin = credentials_.origin(),
          .is_anonymous = settings_.source == KeySource::kAnonymous,
          .now = clock_()};
}

Error S3Bucket::refusal_of(const S3Request& request, const net::HttpResponse& response) const {
  return refusal(refused(request), response);
}

Error S3Bucket::refusal_of(const S3Request& request, const StoreError& error) const {
  return refusal(refused(request), error);
}

Result<net::HttpResponse> S3Bucket::send(const S3Request& request) {
  PGO_TRY(net::HttpResponse response, answer_to(request));
  if (!response.is_success()) return fail(refusal_of(request, response));
  return response;
}

Result<std::optional<net::HttpResponse>> S3Bucket::find(const S3Request& request) {
  using Found = std::optional<net::HttpResponse>;
  PGO_TRY(net::HttpResponse response, answer_to(request));
  if (response.is_success()) return Found(std::move(response));
  if (parse_error(response.status, response.body).code == "NoSuchKey") return Found();
  return fail(refusal_of(request, response));
}

Result<net::HttpResponse> S3Bucket::answer_to(const S3Request& request) {
  for (unsigned adaptations = 0;; ++adaptations) {
    PGO_TRY(net::HttpRequest signed_request, sign(request));
    PGO_TRY(net::HttpResponse response, client_.send(std::move(signed_request)));
    if (adaptations == kMaxAdaptations || !adapt(response, signing_)) return response;
  }
}

}  // namespace pgo::s3
