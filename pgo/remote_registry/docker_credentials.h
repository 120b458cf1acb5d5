// User and password for a registry, as docker, podman and others keep them: in config.json of
// $DOCKER_CONFIG or ~/.docker, or in a credential helper that the file names
// (https://github.com/docker/docker-credential-helpers).
//
//   {"auths": {"registry.example": {"auth": "<base64 of user:password>"}},
//    "credHelpers": {"gcr.io": "gcloud"}, "credsStore": "secretservice"}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

struct RegistryCredentials {
  std::string user, password;
  std::string identity_token;  // instead of both: for the token server

  bool operator==(const RegistryCredentials&) const = default;
};

// Where the file is; empty when no variable tells.
std::string docker_config_path();

// Those of `host` ("registry.example:5000"); nothing where there are none. A helper,
// docker-credential-<name>, is run for at most a minute; it gets the host on standard input.
// Errors: kInput for a file or an answer that is not what it should be; kIo for a helper that is
// missing or fails. No text shows a secret.
Result<std::optional<RegistryCredentials>> find_credentials(std::string_view config,
                                                            const std::string& path,
                                                            const std::string& host);

}  // namespace pgo
