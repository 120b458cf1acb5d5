// S3Bucket: sends signed requests about a bucket, and finds the region that it is in.
//
//   PGO_TRY(S3Address address, parse_s3_url("s3://profiles/queryd"));
//   PGO_TRY(S3Bucket bucket, S3Bucket::open(address, environment, http));
//   PGO_TRY(net::HttpResponse response, bucket.send({.query = {{"list-type", "2"}}}));
//
// A bucket of AWS answers from another region's host with the region's name: the request is sent
// again there. So it is with new keys after the temporary ones have expired.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/stores/s3/credentials.h"
#include "pgo/stores/s3/s3_errors.h"

namespace pgo::s3 {

struct S3Address {
  std::string bucket;
  std::string prefix;  // no slash at its ends; may be empty

  // "s3://bucket/prefix"
  std::string text() const;
  bool operator==(const S3Address&) const = default;
};

// The prefix is taken as it is: '%' and '?' are characters of keys. Error: kUsage.
Result<S3Address> parse_s3_url(const std::string& url);

struct S3Request {
  std::string method = "GET";
  std::string key = {};  // empty: the bucket itself
  std::vector<std::pair<std::string, std::string>> query = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  Action action = Action::kRead;
  std::string shown = {};  // empty: "s3://bucket/key"
};

// What a request was signed for.
struct Signing {
  std::string region;
  uint64_t key_generation = 0;
};

class S3Bucket {
 public:
  // What the settings of AWS and `http` say of certificates is used; netrc is not. Errors: as of
  // read_aws_settings(). Nothing is sent.
  static Result<S3Bucket> open(S3Address address, const Environment& environment,
                               net::HttpOptions http);
  // With everything given; `send_for_keys` may be null for fixed keys.
  S3Bucket(S3Address address, AwsSettings settings, net::HttpOptions http, HttpSend send_for_keys,
           Clock clock);

  const S3Address& address() const { return address_; }
  // Of the store, as it was given; empty: AWS itself.
  const std::string& endpoint() const { return settings_.endpoint; }
  net::HttpClient& client() { return client_; }

  // The request as it is sent now. Errors: of Credentials::keys().
  Result<net::HttpRequest> sign(const S3Request& request);
  // What the latest request was signed for.
  const Signing& signing() const { return signing_; }
  // Can another answer be expected when a request that was signed so is signed anew?
  bool adapt(const net::HttpResponse& response, const Signing& signing);
  Error refusal_of(const S3Request& request, const net::HttpResponse& response) const;
  Error refusal_of(const S3Request& request, const StoreError& error) const;

  // Sends it, as often as adapt() asks for. The answer is a success; others are errors.
  Result<net::HttpResponse> send(const S3Request& request);
  // The same; nothing when there is no object of this key.
  Result<std::optional<net::HttpResponse>> find(const S3Request& request);
  // What is answered in the end, a success or not.
  Result<net::HttpResponse> answer_to(const S3Request& request);

  std::string shown(const std::string& key) const;

 private:
  std::string url_of(const S3Request& request) const;
  RefusedRequest refused(const S3Request& request) const;

  S3Address address_;
  AwsSettings settings_;
  std::string region_;
  net::HttpClient client_;
  Clock clock_;
  Credentials credentials_;
  Signing signing_;
};

// How often a request may be sent again because adapt() says so.
inline constexpr unsigned kMaxAdaptations = 2;

}  // namespace pgo::s3
