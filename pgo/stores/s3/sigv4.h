// Signature Version 4: signs requests to S3 and to other services of AWS.
//
//   net::HttpRequest request{.url = host + "/" + net::percent_encode_path(key)};
//   sign(request, keys, {.region = "eu-west-1"}, now);
//
// The signature covers the method, path, query, headers and body as they are sent. So the path and
// the query of the URL must be percent-encoded by pgo/net/percent_encoding.h: a server encodes
// again what it received, with exactly these rules, and compares. Of services other than S3 the
// path must be
// "/", because these encode it twice.
//
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/net/http.h"

namespace pgo::s3 {

struct AwsKeys {
  std::string access_key;  // its ID
  std::string secret_key;
  std::string session_token;  // of temporary keys; empty: none
};

struct SigningScope {
  std::string region = "us-east-1";
  std::string service = "s3";
};

// Adds the headers x-amz-date, x-amz-content-sha256 (S3 only), x-amz-security-token (temporary keys
// only) and authorization, or replaces them when the request was signed before. `now` is in
// seconds since 1970.
void sign(net::HttpRequest& request, const AwsKeys& keys, const SigningScope& scope, int64_t now);

// What is signed, for tests: the request in canonical form, with the headers that it has and Host.
// `payload_hash` is the SHA-256 of the body, in hexadecimal digits.
std::string canonical_request(const net::HttpRequest& request, const std::string& payload_hash);

}  // namespace pgo::s3
