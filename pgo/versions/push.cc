#include "pgo/versions/push.h"

#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/versions/whole_manifest.h"

namespace pgo {
Result<PushResult> push(const PushRequest& request) {
  if (!request.to.digest.empty())
    return fail(ErrorKind::kUsage,
                reference_text(request.to) + ": the files make the digest of a version",
                "leave it out");
  if (request.files.files.empty())
    return fail(ErrorKind::kUsage, "there is no file to push to " + reference_text(request.to));
  PGO_TRY(DescribedFiles described, describe_files(request.files));
  if (const std::optional<std::string> problem = unreadable_part(described.version))
    return fail(ErrorKind::kInput,
                reference_text(request.to) +
                    ": is not pushed, because pgo could not read it again: " + *problem,
                "the figures are those of the report: convert again with \xFF{report}");
  const std::string manifest = oci_manifest_text(manifest_of(described.version));
  PushResult result;
  result.digest = Sha256::digest_of(as_bytes(manifest));
  result.diagnostics = std::move(described.diagnostics);
  PGO_TRY(const std::unique_ptr<Registry> registry, request.open(request.to, RegistryUse::kPush));
  PGO_TRY(result.moved_from, find_moved_from(*registry, request.to.tag, result.digest));
  const Result<std::optional<StoredManifest>> same = registry->find_manifest(result.digest);
  const bool is_damaged = !same && same.error().kind == ErrorKind::kInput;
  if (!same && !is_damaged) return fail(same.error());
  result.is_new = same && !*same;
  for (size_t i = 0; i < described.contents.size(); i++) {
    const ProfileFile& file = described.version.files[i];
    PGO_TRY(const bool is_new, registry->push_blob(file.digest, described.contents[i].bytes()));
    if (!is_new) continue;
    result.pushed_files++;
    result.pushed_bytes += file.size;
  }
  result.is_repaired = is_damaged || (!result.is_new && result.pushed_files > 0);
  const OciDescriptor empty = oci_empty_descriptor();
  PGO_TRY([[maybe_unused]] const bool is_new,
          registry->push_blob(empty.digest, as_bytes(kOciEmptyBlob)));
  if (request.signer != nullptr) {
    result.signed_by = minisign::key_id_text(request.signer->id);
    PGO_CHECK(registry->push_manifest(manifest, ""));
    PGO_TRY(
        result.is_signature_new,
        push_signature(*registry, {result.digest, kOciManifestType, manifest}, *request.signer));
  }
  PGO_CHECK(registry->push_manifest(manifest, request.to.tag));
  result.version = std::move(described.version);
  return result;
}

}  // namespace pgo
