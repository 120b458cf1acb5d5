#include "pgo/versions/pull.h"

#include <filesystem>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/cached_blob.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/locked_signature.h"

namespace pgo {
namespace {

// Files of one registry on their way into the cache. The registry is opened when it is needed.
class Pull {
 public:
  Pull(const PullRequest& request, RegistryReference from, const BlobCache& cache)
      : request_(request), from_(std::move(from)), cache_(cache) {}

  Result<Registry*> registry() {
    if (!registry_) {
      PGO_TRY(registry_, request_.open(from_, RegistryUse::kRead));
    }
    return registry_.get();
  }

  // The path in the cache.
  Result<void> fetch(PulledFile& pulled, PullResult& result) {
    const ProfileFile& file = pulled.file;
    if (std::optional<Blob> blob = cache_.find_digest(file.digest, file.size)) {
      pulled.was_cached = true;
      pulled.path = blob->path;
      return ok();
    }
    const Result<Blob> blob = fetch_missing(file);
    if (!blob) return fail(with_damage(file, blob.error()));
    result.fetched_bytes += blob->size;
    pulled.path = blob->path;
    return ok();
  }

 private:
  Result<Blob> fetch_missing(const ProfileFile& file) {
    PGO_TRY(Registry* const from, registry());
    return fetch_into_cache(*from, {file.media_type, file.digest, file.size}, cache_);
  }

  // Why the registry was needed at all, where the cache has the file, but damaged.
  Error with_damage(const ProfileFile& file, Error error) const {
    if (const std::optional<std::string> path = cache_.find_damaged(file.digest, file.size))
      error.message = *path + ": is damaged, and cannot be fetched again: " + error.message;
    return error;
  }

  const PullRequest& request_;
  const RegistryReference from_;
  const BlobCache& cache_;
  std::unique_ptr<Registry> registry_;
};

enum class Folders : uint8_t { kNone, kByProfile };

// Copies of all files in the output directory, or in folders of it with the names of the profiles.
// The first copy is moved into place when all are written, so that a failure before leaves the
// files of another version as they are.
Result<void> copy_out(const PullRequest& request, Folders folders, PullResult& result) {
  if (request.output.empty()) return ok();
  const DeferredTermination termination;
  std::vector<AtomicFile> copies;
  for (PulledFile& pulled : result.files) {
    const std::string directory =
        request.output + (folders == Folders::kByProfile ? "/" + pulled.profile : "");
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
      return fail(ErrorKind::kIo, directory + ": cannot make the directory: " + error.message());
    PGO_TRY(const MappedFile contents, MappedFile::open(pulled.path));
    pulled.path = directory + (directory.ends_with('/') ? "" : "/") + pulled.file.name;
    PGO_TRY(AtomicFile copy, AtomicFile::write(pulled.path, as_text(contents.bytes())));
    copies.push_back(std::move(copy));
  }
  for (AtomicFile& copy : copies) PGO_CHECK(copy.commit());
  return ok();
}

Result<std::vector<ProfileFile>> choose(const PullRequest& request,
                                        std::vector<ProfileFile> files) {
  if (request.choose) return request.choose(files);
  return files;
}

Result<PullResult> pull_reference(const PullRequest& request, const RegistryReference& from,
                                  const BlobCache& cache) {
  if (from.version().empty())
    return fail(
        ErrorKind::kUsage, reference_text(from) + ": does not say which version",
        "add ':TAG' or '@sha256:...'; 'pgo list " + reference_text(from) + "' shows what there is");
  PullResult result;
  Pull pull(request, from, cache);
  PGO_TRY(Registry* const registry, pull.registry());
  PGO_TRY(const StoredManifest stored, get_manifest(*registry, from.version()));
  result.digest = stored.digest;
  if (request.verify) {
    PGO_TRY([[maybe_unused]] const std::string signature,
            find_signature(*registry, stored, *request.verify));
    result.verified_keys.insert(minisign::key_id_text(request.verify->key.id));
  }
  const std::string place = repository_text(from) + "@" + stored.digest;
  PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored.bytes, place));
  PGO_TRY(ProfileVersion version, read_profile_version(manifest, place));
  PGO_TRY(std::vector<ProfileFile> files, choose(request, std::move(version.files)));
  for (ProfileFile& file : files) {
    PulledFile pulled{"", std::move(file), "", false};
    PGO_CHECK(pull.fetch(pulled, result));
    result.files.push_back(std::move(pulled));
  }
  PGO_CHECK(copy_out(request, Folders::kNone, result));
  return result;
}

Result<std::vector<std::string>> names_to_pull(const PullRequest& request, const LockFile& lock) {
  std::vector<std::string> names = request.names;
  if (names.empty())
    for (const auto& [name, entry] : lock.profiles) names.push_back(name);
  for (const std::string& name : names)
    if (!lock.profiles.contains(name)) return no_locked_profile(lock, request.lock, name);
  if (names.empty())
    return fail(ErrorKind::kUsage, request.lock + ": has no profiles",
                "'pgo pin NAME REFERENCE' adds one");
  return names;
}

// The signatures that the lock file and the request ask for.
Result<void> check_signatures(const PullRequest& request, const std::string& name,
                              const LockEntry& entry, Pull& pull, const BlobCache& cache,
                              PullResult& result) {
  std::vector<RequiredSignature> required;
  if (request.verify) required.push_back(*request.verify);
  if (!entry.signed_by.empty()) {
    PGO_TRY(const RequiredSignature by_lock, locked_signer(entry, request.lock, name));
    required.push_back(by_lock);
  }
  for (const RequiredSignature& signature : required) {
    PGO_CHECK(check_locked_signature(entry, signature, cache, [&] { return pull.registry(); }));
    result.verified_keys.insert(minisign::key_id_text(signature.key.id));
  }
  return ok();
}

Result<PullResult> pull_locked(const PullRequest& request, const BlobCache& cache) {
  PullResult result;
  PGO_TRY(const LockFile lock, read_lock_file(request.lock, result.diagnostics));
  PGO_TRY(const std::vector<std::string> names, names_to_pull(request, lock));
  for (const std::string& name : names) {
    const LockEntry& entry = lock.profiles.at(name);
    PGO_TRY(RegistryReference from, locked_reference(entry, request.lock));
    Pull pull(request, std::move(from), cache);
    PGO_CHECK(check_signatures(request, name, entry, pull, cache, result));
    PGO_TRY(const std::vector<ProfileFile> files, choose(request, entry.files));
    for (const ProfileFile& file : files) {
      PulledFile pulled{name, file, "", false};
      PGO_CHECK(cache.pin(file.digest));
      PGO_CHECK(pull.fetch(pulled, result));
      result.files.push_back(std::move(pulled));
    }
  }
  PGO_CHECK(copy_out(request, names.size() > 1 ? Folders::kByProfile : Folders::kNone, result));
  return result;
}

}  // namespace

Result<PullResult> pull(const PullRequest& request) {
  PGO_TRY(const BlobCache cache, BlobCache::open(request.cache));
  PGO_TRY(PullResult result, request.from ? pull_reference(request, *request.from, cache)
                                          : pull_locked(request, cache));
  PGO_CHECK(cache.trim());
  return result;
}

}  // namespace pgo
