#include "pgo/refresh/pinned_version.h"

#include <algorithm>
#include <utility>

#include "pgo/registry/reference.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"

namespace pgo {

Result<PinnedVersion> PinnedVersion::read(const std::string& lock, const std::string& name,
                                          OpenRegistry open, const std::string& cache,
                                          Diagnostics& diagnostics) {
  PinnedVersion pinned;
  PGO_TRY(const LockFile file, read_lock_file(lock, diagnostics, MissingLock::kEmpty));
  if (const auto found = file.profiles.find(name); found != file.profiles.end())
    pinned.entry_ = found->second;
  pinned.lock_ = lock;
  pinned.name_ = name;
  pinned.cache_ = cache;
  pinned.open_ = std::move(open);
  return pinned;
}

const ProfileFile* PinnedVersion::find(FileKind kind, const std::string& library) const {
  if (!entry_) return nullptr;
  const auto found = std::find_if(
      entry_->files.begin(), entry_->files.end(),
      [&](const ProfileFile& file) { return file.kind == kind && file.library == library; });
  return found == entry_->files.end() ? nullptr : &*found;
}

std::set<std::string> PinnedVersion::libraries(FileKind kind) const {
  std::set<std::string> libraries;
  if (entry_)
    for (const ProfileFile& file : entry_->files)
      if (file.kind == kind && !file.library.empty()) libraries.insert(file.library);
  return libraries;
}

Result<void> PinnedVersion::look_for_lost_parts() {
  if (!entry_) return ok();
  PGO_TRY(lost_, find_lost_parts(place()));
  return ok();
}

Result<bool> PinnedVersion::is_in(const RegistryReference& registry) const {
  if (!entry_) return false;
  PGO_TRY(const RegistryReference pinned, parse_reference(entry_->reference));
  PGO_TRY(const std::string text, reference_in_lock(registry, lock_));
  PGO_TRY(const RegistryReference wanted, parse_reference(text));
  return repository_text(pinned) == repository_text(wanted);
}

Result<bool> PinnedVersion::can_push_again() const { return pgo::can_push_again(lost_, place()); }

Result<void> PinnedVersion::push_again() {
  PGO_CHECK(pgo::push_again(lost_, place()));
  lost_ = LostParts();
  return ok();
}

Result<std::vector<PulledFile>> PinnedVersion::files(const std::vector<FileKind>& kinds) const {
  if (!entry_) return std::vector<PulledFile>();
  PGO_TRY(const BlobCache cache, BlobCache::open(cache_));
  PullRequest request;
  // The cache may have manifest and signature. With a lock file, pull() looks there.
  if (lost_.is_manifest || lost_.is_signature) {
    request.lock = lock_;
    request.names = {name_};
  } else {
    PGO_TRY(request.from, locked_reference(*entry_, lock_));
    if (!entry_->signed_by.empty()) {
      PGO_TRY(request.verify, locked_signer(*entry_, lock_, name_));
    }
  }
  request.open = open_;
  request.cache = cache_;
  request.choose = [&](const std::vector<ProfileFile>& all) {
    std::vector<ProfileFile> chosen;
    for (const ProfileFile& file : all)
      if (std::find(kinds.begin(), kinds.end(), file.kind) != kinds.end() &&
          (!lost_.has_lost(file) || cache.find_digest(file.digest, file.size)))
        chosen.push_back(file);
    return Result<std::vector<ProfileFile>>(std::move(chosen));
  };
  Result<PullResult> pulled = pull(request);
  if (!pulled && !request.from && pulled.error().kind != ErrorKind::kIo)
    return std::vector<PulledFile>();  // its signature cannot be verified
  if (!pulled) return fail(pulled.error());
  return std::move(pulled->files);
}

}  // namespace pgo
