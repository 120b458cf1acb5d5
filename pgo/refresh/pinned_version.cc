#include "pgo/refresh/pinned_version.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"
#include "pgo/versions/whole_manifest.h"

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

Result<std::string> PinnedVersion::lost_part() const {
  if (!entry_) return std::string();
  const std::string version = "the pinned version " + entry_->manifest;
  PGO_TRY(const RegistryReference reference, locked_reference(*entry_, lock_));
  const Result<std::unique_ptr<Registry>> registry = open_(reference, RegistryUse::kRead);
  if (!registry && registry.error().kind == ErrorKind::kInput) return version;  // no such directory
  if (!registry) return fail(registry.error());
  PGO_TRY(const std::optional<StoredManifest> manifest,
          find_whole_manifest(**registry, entry_->manifest));
  if (!manifest) return version;
  const Result<OciManifest> parsed = parse_oci_manifest(manifest->bytes, manifest->digest);
  if (!parsed) return version;
  for (const OciDescriptor& file : parsed->layers) {
    PGO_TRY(const bool is_there, (*registry)->has_blob(file));
    if (is_there) continue;
    const auto title = file.annotations.find(kOciTitle);
    return (title == file.annotations.end() ? file.digest : title->second) + " of " + version;
  }
  return std::string();
}

Result<std::vector<PulledFile>> PinnedVersion::files(const std::vector<FileKind>& kinds) const {
  if (!entry_) return std::vector<PulledFile>();
  PullRequest request;
  PGO_TRY(request.from, locked_reference(*entry_, lock_));
  if (!entry_->signed_by.empty()) {
    PGO_TRY(request.verify, locked_signer(*entry_, lock_, name_));
  }
  request.open = open_;
  request.cache = cache_;
  request.choose = [&](const std::vector<ProfileFile>& all) {
    std::vector<ProfileFile> chosen;
    for (const ProfileFile& file : all)
      if (std::find(kinds.begin(), kinds.end(), file.kind) != kinds.end()) chosen.push_back(file);
    return Result<std::vector<ProfileFile>>(std::move(chosen));
  };
  PGO_TRY(PullResult pulled, pull(request));
  return std::move(pulled.files);
}

}  // namespace pgo
