#include "pgo/versions/version_signature.h"

#include <optional>
#include <set>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"

namespace pgo {
namespace {

constexpr uint64_t kMaxSignatureBytes = uint64_t{64} << 10;
constexpr const char* kUntrustedComment = "signature of a version of a profile, by pgo push";
// Tools that pull artifacts name the file so.
constexpr const char* kSignatureFile = "version.minisig";

struct FoundSignature {
  std::string place;
  Result<std::string> text;
};

// Nothing for an artifact of another kind.
Result<std::optional<std::string>> read_signature(Registry& registry, const std::string& digest,
                                                  const std::string& place) {
  PGO_TRY(const std::optional<StoredManifest> stored, registry.find_manifest(digest));
  if (!stored)
    return fail(ErrorKind::kInput,
                place +
                    ": is listed as a signature or another referrer, but missing; did the "
                    "registry delete it as garbage?");
  if (stored->media_type != kOciManifestType) return std::optional<std::string>();
  PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored->bytes, place));
  if (manifest.artifact_type != kSignatureArtifact) return std::optional<std::string>();
  if (manifest.layers.size() != 1 || manifest.layers[0].media_type != kSignatureLayer)
    return fail(ErrorKind::kInput,
                place + ": is a signature without exactly one layer of type " + kSignatureLayer);
  PGO_TRY(std::string text, get_blob(registry, manifest.layers[0], kMaxSignatureBytes));
  return std::optional<std::string>(std::move(text));
}

// One that is damaged does not hide the others.
Result<std::vector<FoundSignature>> read_signatures(Registry& registry,
                                                    const std::vector<std::string>& referrers) {
  std::vector<FoundSignature> signatures;
  for (const std::string& referrer : referrers) {
    std::string place = registry.name() + "@" + referrer;
    Result<std::optional<std::string>> text = read_signature(registry, referrer, place);
    if (!text && text.error().kind == ErrorKind::kIo) return std::move(text).failure();
    if (!text)
      signatures.push_back({std::move(place), std::move(text).failure()});
    else if (*text)
      signatures.push_back({std::move(place), **std::move(text)});
  }
  return signatures;
}

Result<minisign::KeyId> signer_of(const FoundSignature& signature) {
  if (!signature.text) return fail(signature.text.error());
  return minisign::claimed_signer(*signature.text, signature.place);
}

Failure not_signed(const std::string& place, const RequiredSignature& required,
                   const std::set<std::string>& signers) {
  std::string by;
  for (const std::string& id : signers) by += (by.empty() ? "" : ", ") + id;
  const std::string id = minisign::key_id_text(required.key.id);
  return fail(ErrorKind::kMismatch,
              place + (by.empty() ? ": is not signed, and " : ": is signed by " + by + ", and ") +
                  required.by + " requires a signature by the key " + id,
              "'pgo push' with \xFF{sign} signs a version");
}

}  // namespace

Result<bool> push_signature(Registry& registry, const StoredManifest& manifest,
                            const minisign::SecretKey& key) {
  const std::string text = minisign::sign(key, as_bytes(manifest.bytes),
                                          "prodpgo version " + manifest.digest, kUntrustedComment);
  return push_signature_text(registry, manifest, text);
}

Result<bool> push_signature_text(Registry& registry, const StoredManifest& manifest,
                                 const std::string& text) {
  const OciDescriptor empty = oci_empty_descriptor();
  OciManifest signature;
  signature.artifact_type = kSignatureArtifact;
  signature.config = empty;
  signature.layers.push_back({.media_type = kSignatureLayer,
                              .digest = Sha256::digest_of(as_bytes(text)),
                              .size = text.size(),
                              .annotations = {{kOciTitle, kSignatureFile}}});
  signature.subject = OciDescriptor{manifest.media_type, manifest.digest, manifest.bytes.size()};
  PGO_TRY([[maybe_unused]] const bool is_new_text,
          registry.push_blob(signature.layers[0].digest, as_bytes(text)));
  PGO_TRY([[maybe_unused]] const bool is_new_config,
          registry.push_blob(empty.digest, as_bytes(kOciEmptyBlob)));
  const std::string bytes = oci_manifest_text(signature);
  // One that is damaged is written again.
  const Result<std::optional<StoredManifest>> same =
      registry.find_manifest(Sha256::digest_of(as_bytes(bytes)));
  if (!same && same.error().kind != ErrorKind::kInput) return fail(same.error());
  PGO_CHECK(registry.push_manifest(bytes, ""));
  return !same || !*same;
}

Result<std::string> find_signature(Registry& registry, const StoredManifest& manifest,
                                   const RequiredSignature& required) {
  PGO_TRY(const std::vector<std::string> referrers, registry.list_referrers(manifest.digest));
  PGO_TRY(const std::vector<FoundSignature> signatures, read_signatures(registry, referrers));
  std::optional<Error> problem;  // of the first that may be by this key
  std::set<std::string> others;
  for (const FoundSignature& signature : signatures) {
    const Result<minisign::KeyId> signer = signer_of(signature);
    if (signer && *signer != required.key.id) {
      others.insert(minisign::key_id_text(*signer));
      continue;
    }
    if (!signer) {
      if (!problem) problem = signer.error();
      continue;
    }
    const Result<std::string> verified =
        minisign::verify(required.key, *signature.text, as_bytes(manifest.bytes), signature.place);
    if (verified) return *signature.text;
    if (!problem) problem = verified.error();
  }
  if (!problem) return not_signed(registry.name() + "@" + manifest.digest, required, others);
  return fail(ErrorKind::kMismatch, problem->message,
              required.by + " requires a signature of " + manifest.digest + " by the key " +
                  minisign::key_id_text(required.key.id));
}

Result<std::vector<std::string>> claimed_signers(Registry& registry,
                                                 const std::vector<std::string>& referrers) {
  PGO_TRY(const std::vector<FoundSignature> signatures, read_signatures(registry, referrers));
  std::set<std::string> signers;
  for (const FoundSignature& signature : signatures) {
    const Result<minisign::KeyId> signer = signer_of(signature);
    signers.insert(signer ? minisign::key_id_text(*signer) : "damaged");
  }
  return std::vector<std::string>(signers.begin(), signers.end());
}

}  // namespace pgo
