#include "pgo/versions/locked_signature.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "pgo/base/text_bytes.h"
#include "pgo/versions/cached_text.h"

namespace pgo {
namespace {

Result<std::string> locked_manifest(const std::string& digest, const BlobCache& cache,
                                    const std::function<Result<Registry*>()>& registry) {
  PGO_TRY(std::optional<std::string> cached, cached_manifest(cache, digest));
  if (cached) return *std::move(cached);
  PGO_TRY(Registry* const from, registry());
  PGO_TRY(StoredManifest stored, get_manifest(*from, digest));
  PGO_CHECK(keep_text(cache, manifest_key(digest), stored.bytes));
  return std::move(stored.bytes);
}

// What a build goes by when it chooses a file and decides how to use it.
auto use_of(const ProfileFile& file) {
  return std::tie(file.kind, file.configuration, file.library, file.bolt_of, file.evidence,
                  file.quality);
}

Result<void> check_files(const LockEntry& entry, const std::string& manifest,
                         const RequiredSignature& required) {
  const std::string place = entry.reference + "@" + entry.manifest;
  PGO_TRY(const OciManifest parsed, parse_oci_manifest(manifest, place));
  PGO_TRY(const ProfileVersion version, read_profile_version(parsed, place));
  for (const ProfileFile& file : entry.files) {
    const auto is_it = [&](const ProfileFile& other) {
      return other.name == file.name && other.digest == file.digest && other.size == file.size;
    };
    const auto found = std::find_if(version.files.begin(), version.files.end(), is_it);
    if (found == version.files.end())
      return fail(ErrorKind::kMismatch,
                  required.by + ": " + file.name + " with " + file.digest +
                      " is not in the version that is signed, " + place,
                  "pin it again");
    if (use_of(file) != use_of(*found))
      return fail(ErrorKind::kMismatch,
                  required.by + ": kind, configuration, library, bolt_of, evidence or quality of " +
                      file.name + " differ from those in the signed version, " + place,
                  "pin it again");
  }
  return ok();
}

}  // namespace

Result<RequiredSignature> locked_signer(const LockEntry& entry, const std::string& lock,
                                        const std::string& name) {
  PGO_TRY(const minisign::PublicKey key,
          minisign::parse_public_key(entry.signed_by, lock + ": " + name + ": 'signed_by'"));
  return RequiredSignature{key, lock};
}

Result<void> check_locked_signature(const LockEntry& entry, const RequiredSignature& required,
                                    const BlobCache& cache,
                                    const std::function<Result<Registry*>()>& registry) {
  PGO_TRY(const std::string manifest, locked_manifest(entry.manifest, cache, registry));
  const std::string key = signature_key(entry.manifest, required.key);
  PGO_TRY(const std::optional<std::string> cached, cached_text(cache, key));
  if (!cached || !minisign::verify(required.key, *cached, as_bytes(manifest), "the cache")) {
    PGO_TRY(Registry* const from, registry());
    PGO_TRY(const std::string text,
            find_signature(*from, {entry.manifest, kOciManifestType, manifest}, required));
    PGO_CHECK(keep_text(cache, key, text));
  }
  return check_files(entry, manifest, required);
}

}  // namespace pgo
