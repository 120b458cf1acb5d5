#include "pgo/stores/s3/sigv4.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/net/http_url.h"
#include "pgo/stores/s3/aws_time.h"

namespace pgo::s3 {

namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// The 32 bytes of the digest, as text.
std::string hmac(std::string_view key, std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  // Fails only where memory runs out, or where a policy of the system forbids SHA-256.
  if (!HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
            reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size))
    std::abort();
  return {reinterpret_cast<const char*>(digest), size};
}

std::string lower_hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (char byte : bytes) {
    text += kDigits[static_cast<uint8_t>(byte) >> 4];
    text += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Without spaces at its ends; several in a row are one.
std::string trimmed(std::string_view value) {
  std::string text;
  for (char c : value)
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// As it is sent. What is no URL is refused when it is sent.
net::HttpUrl url_of(const net::HttpRequest& request) {
  Result<net::HttpUrl> url = net::parse_http_url(request.url);
  return url ? *std::move(url) : net::HttpUrl();
}

std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (size_t begin = 0; begin < query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view parameter = query.substr(begin, end - begin);
    begin = end + 1;
    if (parameter.empty()) continue;
    const size_t equal = std::min(parameter.find('='), parameter.size());
    parameters.emplace_back(parameter.substr(0, equal),
                            equal < parameter.size() ? parameter.substr(equal + 1) : "");
  }
  std::sort(parameters.begin(), parameters.end());
  std::string text;
  for (const auto& [name, value] : parameters)
    text += (text.empty() ? "" : "&") + name + "=" + value;
  return text;
}

// The headers that are signed, by their names in lower case; values of one name become a list.
std::map<std::string, std::string> signed_headers(const net::HttpRequest& request) {
  std::map<std::string, std::string> headers;
  headers["host"] = url_of(request).host_and_port();
  for (const auto& [name, value] : request.headers) {
    std::string& all = headers[lower_case(name)];
    if (all.empty() || lower_case(name) == "host")
      all = trimmed(value);
    else
      all += "," + trimmed(value);
  }
  return headers;
}

std::string names_of(const std::map<std::string, std::string>& headers) {
  std::string names;
  for (const auto& [name, value] : headers) names += (names.empty() ? "" : ";") + name;
  return names;
}

}  // namespace

std::string canonical_request(const net::HttpRequest& request, const std::string& payload_hash) {
  const net::HttpUrl url = url_of(request);
  const std::map<std::string, std::string> headers = signed_headers(request);
  std::string text = request.method + "\n";
  text.append(url.path).append("\n").append(canonical_query(url.query)).append("\n");
  for (const auto& [name, value] : headers)
    text.append(name).append(":").append(value).append("\n");
  return text.append("\n").append(names_of(headers)).append("\n").append(payload_hash);
}

void sign(net::HttpRequest& request, const AwsKeys& keys, const SigningScope& scope, int64_t now) {
  std::erase_if(request.headers, [](const auto& header) {
    const std::string name = lower_case(header.first);
    return name == "authorization" || name == "x-amz-date" || name == "x-amz-security-token" ||
           name == "x-amz-content-sha256";
  });
  const std::string time = basic_time(now), day = time.substr(0, 8);
  const std::string payload_hash = Sha256::hex_of(as_bytes(request.body));
  request.headers.emplace_back("x-amz-date", time);
  if (scope.service == "s3") request.headers.emplace_back("x-amz-content-sha256", payload_hash);
  if (!keys.session_token.empty())
    request.headers.emplace_back("x-amz-security-token", keys.session_token);

  const std::string credential_scope =
      day + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string canonical = canonical_request(request, payload_hash);
  std::string to_sign(kAlgorithm);
  to_sign += "\n" + time + "\n" + credential_scope + "\n" + Sha256::hex_of(as_bytes(canonical));
  std::string key = hmac("AWS4" + keys.secret_key, day);
  for (const std::string_view part :
       {std::string_view(scope.region), std::string_view(scope.service),
        std::string_view("aws4_request")})
    key = hmac(key, part);
  request.headers.emplace_back("authorization",
                               std::string(kAlgorithm) + " Credential=" + keys.access_key + "/" +
                                   credential_scope +
                                   ", SignedHeaders=" + names_of(signed_headers(request)) +
                                   ", Signature=" + lower_hex(hmac(key, to_sign)));
}

}  // namespace pgo::s3
