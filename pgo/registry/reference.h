// RegistryReference: where versions of profiles are kept, and which one is meant.
//
//   oci-dir:PATH[:TAG][@sha256:HEX]                 an OCI image layout in a directory
//   oci://HOST[:PORT]/REPOSITORY[:TAG][@sha256:HEX]  an OCI registry
//
// The tag begins behind the last ':' that no '/' follows, so the path of a directory whose own name
// has a ':' ends in '/', or in a tag. A digest says exactly which version; a tag may move.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

struct RegistryReference {
  enum class Kind : uint8_t { kLayout, kRemote };

  Kind kind = Kind::kLayout;
  std::string host;    // with the port; of a registry only
  std::string path;    // of the directory, or the name of the repository
  std::string tag;     // empty: none
  std::string digest;  // "sha256:<hex>"; empty: none

  // The version: the digest, or else the tag; empty when neither is given.
  const std::string& version() const { return digest.empty() ? tag : digest; }
  bool operator==(const RegistryReference&) const = default;
};

// Does `text` begin as a reference does? parse_reference() says whether it is one.
bool is_reference(std::string_view text);

// Error: kUsage.
Result<RegistryReference> parse_reference(std::string_view text);
// What parse_reference() makes the same reference of.
std::string reference_text(const RegistryReference& reference);
// The same without tag and digest: all versions.
std::string repository_text(const RegistryReference& reference);

// As the distribution specification has it: at most 128 letters, digits, '_', '.' and '-', the
// first of them neither '.' nor '-'.
bool is_tag(std::string_view text);

}  // namespace pgo
