// Credentials: the keys to sign with, fetched and renewed where they are temporary.
//
//   Credentials credentials(settings, send, clock);
//   PGO_TRY(std::optional<AwsKeys> keys, credentials.keys());   nothing: requests are anonymous
//   credentials.reject();        after an answer ExpiredToken: keys() fetches others
//
// Fetched: from STS by a web identity (AssumeRoleWithWebIdentity), from a container's address, from
// the metadata of an EC2 instance (IMDSv2). No message shows a key or a token.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/net/http.h"
#include "pgo/stores/s3/aws_settings.h"

namespace pgo::s3 {

// Sends one request and waits for the answer, whatever its status. Error: kIo.
using HttpSend = std::function<Result<net::HttpResponse>(net::HttpRequest)>;
// Seconds since 1970.
using Clock = std::function<int64_t()>;

struct TemporaryKeys {
  AwsKeys keys;
  std::optional<int64_t> expires;  // in seconds since 1970; nothing: never
};

class Credentials {
 public:
  Credentials(AwsSettings settings, HttpSend send, Clock clock);

  // Errors: kUsage when there are none, kIo and kInput when fetching them fails.
  Result<std::optional<AwsKeys>> keys();
  // The store says that the keys have expired. False: they are fixed, so that nothing changes.
  bool reject();
  // Grows with each time that keys are fetched.
  uint64_t generation() const { return generation_; }
  // For messages: AwsSettings::origin.
  const std::string& origin() const { return settings_.origin; }

 private:
  Result<TemporaryKeys> fetch() const;
  Result<TemporaryKeys> assume_role() const;
  Result<TemporaryKeys> ask_container() const;
  Result<TemporaryKeys> ask_instance() const;

  AwsSettings settings_;
  HttpSend send_;
  Clock clock_;
  std::optional<TemporaryKeys> current_;
  uint64_t generation_ = 0;
};

// Readers of the answers, for tests. `shown` is what messages call the service. Error: kInput.
Result<TemporaryKeys> parse_sts_answer(std::string_view xml, const std::string& shown);
// AccessKeyId, SecretAccessKey, Token, Expiration: of containers and instances.
Result<TemporaryKeys> parse_key_document(std::string_view json, const std::string& shown);

}  // namespace pgo::s3
