// Signatures of versions, in minisign's format over the bytes of a manifest. Each is an artifact of
// its own that refers to the manifest, so a version can be signed later, and by several keys.
//
//   PGO_TRY(bool is_new, push_signature(registry, manifest, secret_key));
//   PGO_TRY(std::string text, find_signature(registry, manifest, {public_key, "\xFF{verify}"}));
//
// The manifest names each file by digest, so its signature covers the files. It holds no time: the
// same key signs the same version with the same bytes.
#pragma once

#include <string>
#include <vector>

#include "pgo/registry/registry.h"
#include "pgo/signature/minisign.h"

namespace pgo {

inline constexpr const char* kSignatureArtifact = "application/vnd.prodpgo.signature.v1";
inline constexpr const char* kSignatureLayer = "application/vnd.prodpgo.minisig.v1";

struct RequiredSignature {
  minisign::PublicKey key;
  std::string by;  // who requires it, for messages: an option, or a lock file
};

// After the manifest. False when the registry had this signature. Errors: those of the registry.
Result<bool> push_signature(Registry& registry, const StoredManifest& manifest,
                            const minisign::SecretKey& key);

// The same with a signature that was made before, and that find_signature() has returned.
Result<bool> push_signature_text(Registry& registry, const StoredManifest& manifest,
                                 const std::string& text);

// The text of a signature of the manifest by this key; other signatures do not count, whatever is
// wrong with them. Errors: kMismatch when there is none, or none is valid; those of the registry.
Result<std::string> find_signature(Registry& registry, const StoredManifest& manifest,
                                   const RequiredSignature& required);

// Of the referrers of a version: the key IDs of who says to have signed it, sorted; "damaged" for a
// signature that cannot be read. Nothing is verified. Errors: those of the registry.
Result<std::vector<std::string>> claimed_signers(Registry& registry,
                                                 const std::vector<std::string>& referrers);

}  // namespace pgo
