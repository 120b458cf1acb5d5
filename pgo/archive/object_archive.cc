#include "pgo/archive/object_archive.h"

#include "pgo/archive/build_archive.h"

namespace pgo {
namespace {

// Is this file there? What another tool wrote is read, if it has the same size. Error: another file
// is there.
Result<bool> is_archived(ObjectStore& store, const std::string& key, const ReleaseFile& file) {
  PGO_TRY(std::optional<ArchivedObject> found, store.find(key));
  if (!found) return false;
  if (found->digest.empty() && found->size == file.image.bytes().size()) {
    PGO_TRY(found->digest, store.read_digest(key, found->size));
  }
  if (found->digest == file.digest) return true;
  return other_contents(
      store.place(key), file,
      found->digest.empty() ? std::to_string(found->size) + " bytes" : found->digest);
}

}  // namespace

std::string object_key(const BuildId& build, ReleaseRole role) {
  return archive_key(build).hex() + "/" + std::string(role_name(role));
}

Result<KeptRelease> keep_in_objects(ObjectStore& store, const Release& release) {
  KeptRelease kept;
  // Asked of all before the first is written: with another file there, nothing changes.
  for (const ReleaseFile& file : release.files) {
    const std::string key = object_key(release.build_id(), file.role);
    kept.files.push_back(kept_file(file, store.place(key)));
    PGO_TRY(const bool is_there, is_archived(store, key, file));
    kept.files.back().is_new = !is_there;
  }
  for (size_t i = 0; i < kept.files.size(); i++) {
    if (!kept.files[i].is_new) continue;
    const ReleaseFile& file = release.files[i];
    const std::string key = object_key(release.build_id(), file.role);
    PGO_TRY(kept.files[i].is_new, store.put_new(key, file.image.bytes()));
    PGO_TRY(const bool is_there, is_archived(store, key, file));
    if (!is_there) return removed_meanwhile(kept.files[i].place);
  }
  return kept;
}

}  // namespace pgo
