#include "pgo/stores/s3/sigv4.h"

#include <gtest/gtest.h>

#include "pgo/base/sha256.h"
#include "pgo/net/percent_encoding.h"

namespace pgo::sigv4_test {
namespace {

using s3::AwsKeys;
using s3::SigningScope;

// Keys and time of the examples in the documentation of S3, "Signature Calculations for the
// Authorization Header": 2013-05-24 00:00:00.
const AwsKeys kKeys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
constexpr int64_t kTime = 1'369'353'600;
constexpr const char* kHost = "https://examplebucket.s3.amazonaws.com";

std::string header(const net::HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers)
    if (key == name) return value;
  return "";
}

// The part of the header behind ", ".
std::string signature(net::HttpRequest request, const AwsKeys& keys = kKeys,
                      const SigningScope& scope = {}) {
  s3::sign(request, keys, scope, kTime);
  const std::string authorization = header(request, "authorization");
  return authorization.substr(authorization.find(", ") + 2);
}

net::HttpRequest get(const std::string& url) {
  net::HttpRequest request;
  request.url = url;
  return request;
}

TEST(SigV4, SignsAGetOfARangeAsDocumented) {
  net::HttpRequest request = get(std::string(kHost) + "/test.txt");
  request.headers = {{"Range", "bytes=0-9"}};
  s3::sign(request, kKeys, {}, kTime);
  EXPECT_EQ(header(request, "authorization"),
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_EQ(header(request, "x-amz-date"), "20130524T000000Z");
  EXPECT_EQ(header(request, "x-amz-content-sha256"),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(SigV4, SignsAPutAsDocumented) {
  net::HttpRequest request =
      get(std::string(kHost) + "/" + net::percent_encode_path("test$file.text"));
  request.method = "PUT";
  request.headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                     {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  request.body = "Welcome to Amazon S3.";
  EXPECT_EQ(signature(request),
            "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, "
            "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

TEST(SigV4, SignsAParameterWithoutAValueAsDocumented) {
  const char* const expected =
      "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
      "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543";
  EXPECT_EQ(signature(get(std::string(kHost) + "/?lifecycle=")), expected);
  EXPECT_EQ(signature(get(std::string(kHost) + "/?lifecycle")), expected);
}

TEST(SigV4, SignsAListAsDocumented) {
  const std::string query = net::encode_query({{"prefix", "J"}, {"max-keys", "2"}});
  EXPECT_EQ(query, "max-keys=2&prefix=J");
  EXPECT_EQ(signature(get(std::string(kHost) + "/?" + query)),
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
            "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

// Computed by botocore 1.43: S3SigV4Auth, and SigV4Auth for STS.
TEST(SigV4, SignsStrangeKeysAndASessionTokenAsBotocore) {
  AwsKeys keys = kKeys;
  keys.session_token = "a/session+token==";
  EXPECT_EQ(
      signature(get("http://127.0.0.1:9000/bucket/" + net::percent_encode_path("p/a b+c=%d/é.pb")),
                keys, {.region = "eu-west-1"}),
      "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, "
      "Signature=5f2eaf29584849e62bbd3bf6ad7a1cac1cecef59d961d0d106eaf10f164de660");
}

TEST(SigV4, SignsAQueryOfAnyCharactersAsBotocore) {
  const std::string query = net::encode_query(
      {{"prefix", "p/é x/"}, {"list-type", "2"}, {"continuation-token", "a/b+c=="}});
  EXPECT_EQ(signature(get("http://127.0.0.1:9000/bucket?" + query), kKeys, {.region = "eu-west-1"}),
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
            "Signature=cae2666b6a6ad50719c8e7b19b1793f5a95b2dfef9f9d005a6d8a78de7d1d1f3");
}

TEST(SigV4, SignsOtherServicesAsBotocore) {
  net::HttpRequest request = get("https://sts.amazonaws.com/");
  request.method = "POST";
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = "Action=GetCallerIdentity";
  EXPECT_EQ(signature(request, kKeys, {.service = "sts"}),
            "SignedHeaders=content-type;host;x-amz-date, "
            "Signature=d395c0cb28b899c22d0b8ad59a18cf1d61cd35884e89a0d136ca005c4409078e");
}

TEST(SigV4, ReplacesASignature) {
  AwsKeys keys = kKeys;
  keys.session_token = "old";
  net::HttpRequest request = get(std::string(kHost) + "/test.txt");
  s3::sign(request, keys, {}, kTime + 1000);
  net::HttpRequest fresh = get(std::string(kHost) + "/test.txt");
  s3::sign(request, kKeys, {}, kTime);
  s3::sign(fresh, kKeys, {}, kTime);
  EXPECT_EQ(request.headers, fresh.headers);
}

TEST(SigV4, WritesTheCanonicalRequest) {
  net::HttpRequest request = get("http://store:80/b?z=1&a=");
  request.headers = {
      {"X-Amz-Meta-B", "  two   words "}, {"x-amz-meta-a", "1"}, {"X-Amz-Meta-A", "2"}};
  EXPECT_EQ(s3::canonical_request(request, "hash"),
            "GET\n/b\na=&z=1\nhost:store\nx-amz-meta-a:1,2\nx-amz-meta-b:two words\n\n"
            "host;x-amz-meta-a;x-amz-meta-b\nhash");
}

TEST(SigV4, HasTheRootForAUrlWithoutAPath) {
  EXPECT_EQ(s3::canonical_request(get("https://store:8443?a=1"), "hash"),
            "GET\n/\na=1\nhost:store:8443\n\nhost\nhash");
}

TEST(SigV4, LeavesOutThePortOfTheScheme) {
  EXPECT_EQ(s3::canonical_request(get("https://store:443/"), ""), "GET\n/\n\nhost:store\n\nhost\n");
  EXPECT_EQ(s3::canonical_request(get("https://store:80/"), ""),
            "GET\n/\n\nhost:store:80\n\nhost\n");
}

// As the header Host has it.
TEST(SigV4, SignsTheHostInLowerCase) {
  EXPECT_EQ(s3::canonical_request(get("http://MinIO:9000/B"), ""),
            "GET\n/B\n\nhost:minio:9000\n\nhost\n");
  EXPECT_EQ(s3::canonical_request(get("http://[0::1]:9000/"), ""),
            "GET\n/\n\nhost:[::1]:9000\n\nhost\n");
}

}  // namespace
}  // namespace pgo::sigv4_test
