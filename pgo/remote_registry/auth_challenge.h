// What a registry asks for in WWW-Authenticate (RFC 9110, section 11.6.1): user and password, or a
// token from the server that it names
// (https://distribution.github.io/distribution/spec/auth/token).
//
//   WWW-Authenticate: Basic realm="registry"
//   WWW-Authenticate: Bearer realm="https://auth.example/token",service="registry",scope="..."
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pgo {

struct AuthChallenge {
  enum class Scheme : uint8_t { kBasic, kBearer };

  Scheme scheme = Scheme::kBasic;
  std::string realm, service, scope;  // of Bearer: the URL of the token server, and what for

  bool operator==(const AuthChallenge&) const = default;
};

// The first challenge of a known scheme; nothing when there is none, or it is cut. O(size).
std::optional<AuthChallenge> parse_auth_challenge(std::string_view header);

}  // namespace pgo
