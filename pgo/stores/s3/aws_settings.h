// AwsSettings: what the environment and the files of the AWS tools say: region, endpoints, and
// where keys come from.
//
//   PGO_TRY(AwsSettings settings, read_aws_settings(environment));
//
// Variables come first, then the profile ($AWS_PROFILE, else "default") in ~/.aws/credentials and
// ~/.aws/config. Keys, from the first of these that exists:
//   1. AWS_NO_SIGN_REQUEST=true: none, requests are anonymous
//   2. AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   3. AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN (pods of EKS)
//   4. the profile: keys, or web_identity_token_file and role_arn
//   5. AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI (tasks of ECS, pods of EKS)
//   6. the metadata of an EC2 instance
// Profiles with single sign-on, credential_process, or a role of another profile are not supported;
// the error says how to get their keys into the environment.
#pragma once

#include <functional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/stores/s3/sigv4.h"

namespace pgo::s3 {

// The value of a variable; empty when it is not set.
using Environment = std::function<std::string(const std::string& variable)>;

enum class KeySource { kAnonymous, kFixed, kWebIdentity, kContainer, kInstance, kNone };

// Where the bucket is in a URL: in the path, or in front of the host name.
enum class AddressingStyle { kAuto, kPath, kVirtual };

struct AwsSettings {
  std::string region = {};        // empty: not set
  std::string endpoint = {};      // of S3, without a slash at its end; empty: AWS itself
  std::string sts_endpoint = {};  // empty: AWS itself
  std::string ca_file = {};       // empty: the system's
  AddressingStyle addressing = AddressingStyle::kAuto;

  KeySource source = KeySource::kNone;
  // For messages: "AWS_SECRET_ACCESS_KEY", "the profile 'queryd' in /home/me/.aws/credentials".
  std::string origin = {};
  AwsKeys keys = {};                                              // kFixed
  std::string token_file = {}, role_arn = {}, session_name = {};  // kWebIdentity
  std::string container_url = {};                                 // kContainer
  std::string container_token = {}, container_token_file = {};    // one of them, or none
  std::string instance_endpoint = {};                             // kInstance
};

// Errors: kUsage for variables or a profile that cannot be used as they are; kIo and kInput of the
// files.
Result<AwsSettings> read_aws_settings(const Environment& environment);

}  // namespace pgo::s3
