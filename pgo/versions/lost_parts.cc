#include "pgo/versions/lost_parts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "pgo/base/mapped_file.h"
#include "pgo/base/text_bytes.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/cached_text.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"
#include "pgo/versions/version_signature.h"
#include "pgo/versions/whole_manifest.h"

namespace pgo {
namespace {

// Looks for one part after another.
class PartSearch {
 public:
  PartSearch(const PinnedPlace& place, const BlobCache& cache) : place_(place), cache_(cache) {}

  Result<LostParts> run() {
    PGO_TRY(const RegistryReference reference, locked_reference(place_.entry, place_.lock));
    lost_.repository = repository_text(reference);
    Result<std::unique_ptr<Registry>> opened = place_.open(reference, RegistryUse::kRead);
    if (!opened && opened.error().kind != ErrorKind::kInput) return fail(opened.error());
    if (opened) registry_ = *std::move(opened);  // else there is no such directory
    PGO_CHECK(look_for_manifest());
    PGO_CHECK(look_for_files());
    PGO_CHECK(look_for_signature());
    return std::move(lost_);
  }

 private:
  std::string version() const { return "the pinned version " + place_.entry.manifest; }

  void note(const std::string& part) {
    if (lost_.first.empty()) lost_.first = part;
  }

  Result<void> look_for_manifest() {
    std::optional<StoredManifest> stored;
    if (registry_) {
      PGO_TRY(stored, find_whole_manifest(*registry_, place_.entry.manifest));
    }
    const std::string key = manifest_key(place_.entry.manifest);
    if (stored) {
      lost_.manifest = std::move(stored->bytes);
      return keep_text(cache_, key, lost_.manifest);
    }
    lost_.is_manifest = true;
    note(version());
    PGO_TRY(std::optional<std::string> cached, cached_manifest(cache_, place_.entry.manifest));
    lost_.manifest = cached.value_or("");
    return ok();
  }

  // Of the manifest; without it, of the lock file, which names only those that builds use.
  std::vector<OciDescriptor> all_files() const {
    std::vector<OciDescriptor> files;
    if (const Result<OciManifest> parsed =
            parse_oci_manifest(lost_.manifest, place_.entry.manifest))
      return parsed->layers;
    for (const ProfileFile& file : place_.entry.files)
      files.push_back({.media_type = file.media_type,
                       .digest = file.digest,
                       .size = file.size,
                       .annotations = {{kOciTitle, file.name}}});
    return files;
  }

  Result<void> look_for_files() {
    for (const OciDescriptor& file : all_files()) {
      if (registry_) {
        PGO_TRY(const bool is_there, registry_->has_blob(file));
        if (is_there) continue;
      }
      lost_.files.push_back(file);
      const auto title = file.annotations.find(kOciTitle);
      note((title == file.annotations.end() ? file.digest : title->second) + " of " + version());
    }
    return ok();
  }

  Result<void> look_for_signature() {
    if (place_.entry.signed_by.empty()) return ok();
    PGO_TRY(const RequiredSignature required,
            locked_signer(place_.entry, place_.lock, place_.name));
    const std::string key = signature_key(place_.entry.manifest, required.key);
    if (registry_ && !lost_.manifest.empty()) {
      const Result<std::string> found = find_signature(
          *registry_, {place_.entry.manifest, kOciManifestType, lost_.manifest}, required);
      if (found) return keep_text(cache_, key, *found);
      if (found.error().kind == ErrorKind::kIo) return fail(found.error());
    }
    lost_.is_signature = true;
    note("the signature of " + version());
    PGO_TRY(std::optional<std::string> cached, cached_text(cache_, key));
    if (cached && minisign::verify(required.key, *cached, as_bytes(lost_.manifest), "the cache"))
      lost_.signature = *std::move(cached);
    return ok();
  }

  const PinnedPlace& place_;
  const BlobCache& cache_;
  std::unique_ptr<Registry> registry_;  // null: its directory is missing
  LostParts lost_;
};

}  // namespace

bool LostParts::has_lost(const ProfileFile& file) const {
  return std::any_of(files.begin(), files.end(),
                     [&](const OciDescriptor& one) { return one.digest == file.digest; });
}

Result<LostParts> find_lost_parts(const PinnedPlace& place) {
  PGO_TRY(const BlobCache cache, BlobCache::open(place.cache));
  return PartSearch(place, cache).run();
}

Result<bool> can_push_again(const LostParts& lost, const PinnedPlace& place) {
  if (lost.manifest.empty() || (lost.is_signature && lost.signature.empty())) return false;
  PGO_TRY(const BlobCache cache, BlobCache::open(place.cache));
  return std::all_of(lost.files.begin(), lost.files.end(), [&](const OciDescriptor& file) {
    return cache.find_digest(file.digest, file.size).has_value();
  });
}

Result<void> push_again(const LostParts& lost, const PinnedPlace& place) {
  PGO_TRY(const BlobCache cache, BlobCache::open(place.cache));
  PGO_TRY(const RegistryReference reference, locked_reference(place.entry, place.lock));
  PGO_TRY(const std::unique_ptr<Registry> registry, place.open(reference, RegistryUse::kPush));
  for (const OciDescriptor& file : lost.files) {
    const std::optional<Blob> blob = cache.find_digest(file.digest, file.size);
    if (!blob)
      return fail(ErrorKind::kIo, place.cache + ": has lost " + file.digest, "run this again");
    PGO_TRY(const MappedFile contents, MappedFile::open(blob->path));
    PGO_TRY([[maybe_unused]] const bool is_new, registry->push_blob(file.digest, contents.bytes()));
  }
  const OciDescriptor empty = oci_empty_descriptor();
  PGO_TRY([[maybe_unused]] const bool is_new,
          registry->push_blob(empty.digest, as_bytes(kOciEmptyBlob)));
  if (lost.is_manifest) {
    // A tag that names another version by now stays.
    PGO_TRY(const std::string other,
            find_moved_from(*registry, reference.tag, place.entry.manifest));
    PGO_CHECK(registry->push_manifest(lost.manifest, other.empty() ? reference.tag : ""));
  }
  if (!lost.is_signature) return ok();
  PGO_TRY([[maybe_unused]] const bool is_new_signature,
          push_signature_text(*registry, {place.entry.manifest, kOciManifestType, lost.manifest},
                              lost.signature));
  return ok();
}

}  // namespace pgo
