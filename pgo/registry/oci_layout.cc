#include "pgo/registry/oci_layout.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/json_fields.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVersionFile = "/oci-layout";
constexpr const char* kVersionText = "{\"imageLayoutVersion\":\"1.0.0\"}";
constexpr const char* kEmptyIndex = "{\"schemaVersion\":2,\"manifests\":[]}";
constexpr size_t kMaxVersionFile = 4096;
constexpr const char* kRepair = "push or archive the same files again";
constexpr uint64_t kNoLimit = ~uint64_t{0};
constexpr const char* kBlobsFolder = "/blobs/sha256/";
constexpr const char* kTemporaryFolder = "/.prodpgo/tmp/";

// A regular file as a whole; nothing when there is none. Errors: kIo; kInput for another kind of
// file, or a larger one.
Result<std::optional<MappedFile>> open_if_there(const std::string& path, uint64_t max_bytes) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<MappedFile>();
    return io_failure(path, "cannot open");
  }
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::kInput, path + ": is not a regular file");
  if (static_cast<uint64_t>(status.st_size) > max_bytes)
    return fail(ErrorKind::kInput,
                path + ": is larger than " + std::to_string(max_bytes) + " bytes");
  PGO_TRY(MappedFile file, MappedFile::open(path));
  return std::optional<MappedFile>(std::move(file));
}

Failure missing_blob(const std::string& layout, const OciDescriptor& blob) {
  return fail(ErrorKind::kInput, layout + ": there is no blob " + blob.digest, kRepair);
}

Result<void> check_size(const std::string& path, uint64_t size, const OciDescriptor& blob) {
  if (size == blob.size) return ok();
  return fail(ErrorKind::kInput,
              path + ": has " + std::to_string(size) + " bytes, and " + std::to_string(blob.size) +
                  " by the manifest that names it",
              kRepair);
}

Result<void> check_version(const std::string& directory) {
  const std::string path = directory + kVersionFile;
  PGO_TRY(const std::optional<MappedFile> file, open_if_there(path, kMaxVersionFile));
  if (!file && ::access(directory.c_str(), F_OK) != 0)
    return fail(ErrorKind::kInput, directory + ": there is no such directory",
                "check the path; 'pgo push' makes a new one");
  if (!file)
    return fail(ErrorKind::kInput,
                directory + ": is not an OCI image layout: it has no file oci-layout",
                "check the path; 'pgo push' makes a layout in an empty directory");
  PGO_TRY(const nlohmann::json object, parse_json(as_text(file->bytes()), kMaxVersionFile, path,
                                                  "is not the version of an OCI image layout"));
  JsonProblem problem;
  const std::string version = JsonFields(object, "the file", problem).text("imageLayoutVersion");
  if (problem.first) return fail(ErrorKind::kInput, path + ": " + *problem.first);
  if (version == "1.0.0") return ok();
  return fail(ErrorKind::kUnsupported, directory + ": is an OCI image layout of version " +
                                           version + ", and only 1.0.0 is supported");
}

// Is there a layout? Where none is, only what a push that was killed has left may be in the
// directory, so that one can be made. One look decides: another push may make one at any time.
Result<bool> has_layout(const std::string& directory) {
  bool has_other_files = false;
  std::error_code error;
  for (auto entry = fs::directory_iterator(directory, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    if ("/" + name == kVersionFile) return true;
    has_other_files |= name != ".prodpgo" && name != "blobs" && name != "index.json";
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return fail(ErrorKind::kIo, directory + ": cannot read the directory: " + error.message());
  if (has_other_files)
    return fail(ErrorKind::kInput,
                directory + ": is a directory with other files, and no OCI image layout",
                "name another directory");
  return false;
}

Result<void> make_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0 || errno == EEXIST) return ok();
  return io_failure(path, "cannot make the directory");
}

// Waits until it has the lock `path`; the lock ends with the descriptor.
Result<void> lock_file(const std::string& path, int operation, std::optional<UniqueFd>& lock) {
  lock.emplace(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock->fd < 0) return io_failure(path, "cannot open");
  while (::flock(lock->fd, operation) != 0)
    if (errno != EINTR) return io_failure(path, "cannot lock");
  return ok();
}

std::string tag_of(const OciDescriptor& manifest) {
  auto tag = manifest.annotations.find(kOciTag);
  return tag == manifest.annotations.end() ? "" : tag->second;
}

// Empty when no manifest has this tag.
std::string digest_of_tag(const OciIndex& index, const std::string& tag) {
  std::string digest;
  for (const OciDescriptor& manifest : index.manifests)
    if (tag_of(manifest) == tag) digest = manifest.digest;
  return digest;
}

// The manifest that has this tag loses it. It stays in the index, unless it is there once more.
void take_tag(OciIndex& index, const std::string& tag) {
  for (OciDescriptor& manifest : index.manifests)
    if (tag_of(manifest) == tag) manifest.annotations.erase(kOciTag);
  std::set<std::string> listed;
  for (const OciDescriptor& manifest : index.manifests)
    if (!tag_of(manifest).empty()) listed.insert(manifest.digest);
  std::erase_if(index.manifests, [&](const OciDescriptor& manifest) {
    return tag_of(manifest).empty() && !listed.insert(manifest.digest).second;
  });
}

// False when it is there already.
bool add_manifest(OciIndex& index, OciDescriptor manifest, const std::string& tag) {
  auto is_same = [&](const OciDescriptor& other) {
    return other.digest == manifest.digest && (tag.empty() || tag_of(other) == tag);
  };
  if (std::any_of(index.manifests.begin(), index.manifests.end(), is_same)) return false;
  if (!tag.empty()) {
    take_tag(index, tag);
    manifest.annotations[kOciTag] = tag;
    auto is_untagged = [&](const OciDescriptor& other) {
      return other.digest == manifest.digest && tag_of(other).empty();
    };
    std::erase_if(index.manifests, is_untagged);
  }
  index.manifests.push_back(std::move(manifest));
  return true;
}

}  // namespace

OciLayout::OciLayout(const std::string& directory, Use use)
    : directory_(directory), name_("oci-dir:" + directory), use_(use) {
  while (directory_.size() > 1 && directory_.ends_with('/')) directory_.pop_back();
}

Result<std::unique_ptr<OciLayout>> OciLayout::open(const std::string& directory) {
  std::unique_ptr<OciLayout> layout(new OciLayout(directory, Use::kRead));
  PGO_CHECK(check_version(layout->directory_));
  return layout;
}

Result<std::unique_ptr<OciLayout>> OciLayout::open_to_push(const std::string& directory) {
  std::unique_ptr<OciLayout> layout(new OciLayout(directory, Use::kPush));
  const std::string& path = layout->directory_;
  PGO_TRY(const bool is_there, has_layout(path));
  if (is_there) {
    PGO_CHECK(check_version(path));
  } else if (fs::path parent = fs::path(path).parent_path(); !parent.empty()) {
    std::error_code ignored;
    fs::create_directories(parent, ignored);
  }
  for (const char* part : {"", "/.prodpgo", "/.prodpgo/tmp", "/blobs", "/blobs/sha256"})
    PGO_CHECK(make_directory(path + part));
  std::optional<UniqueFd> lock;
  PGO_CHECK(lock_file(path + "/.prodpgo/index.lock", LOCK_EX, lock));
  const std::string index = path + "/index.json";
  if (::access(index.c_str(), F_OK) != 0) PGO_CHECK(layout->write_file(index, kEmptyIndex));
  if (::access((path + kVersionFile).c_str(), F_OK) != 0)
    PGO_CHECK(layout->write_file(path + kVersionFile, kVersionText));
  PGO_CHECK(check_version(path));
  return layout;
}

std::string OciLayout::blob_path(const std::string& digest) const {
  return directory_ + kBlobsFolder + digest.substr(digest.find(':') + 1);
}

Result<OciIndex> OciLayout::read_index() const {
  const std::string path = directory_ + "/index.json";
  PGO_TRY(const std::optional<MappedFile> file, open_if_there(path, kMaxOciIndex));
  if (!file)
    return fail(ErrorKind::kInput,
                directory_ + ": is a damaged OCI image layout: it has no index.json");
  return parse_oci_index(as_text(file->bytes()), path);
}

// In a folder of its own until it is complete: collect_garbage() removes what is left there.
Result<void> OciLayout::write_file(const std::string& path, std::string_view contents) const {
  const DeferredTermination termination;
  PGO_TRY(
      AtomicFile file,
      AtomicFile::overwrite(path, contents, {.temporary_prefix = directory_ + kTemporaryFolder}));
  return file.commit();
}

Result<void> OciLayout::lock_blobs(int operation) {
  if (blobs_lock_ && operation == LOCK_SH) return ok();
  return lock_file(directory_ + "/.prodpgo/blobs.lock", operation, blobs_lock_);
}

Result<std::optional<StoredManifest>> OciLayout::find_manifest(const std::string& version) {
  StoredManifest stored;
  std::string place = name_ + ": the manifest " + version;
  if (version.find(':') != version.npos) {
    stored.digest = version;
  } else {
    PGO_TRY(const OciIndex index, read_index());
    stored.digest = digest_of_tag(index, version);
    if (stored.digest.empty()) return std::optional<StoredManifest>();
  }
  PGO_CHECK(check_digest_kind(place, stored.digest));
  PGO_TRY(const std::optional<MappedFile> file,
          open_if_there(blob_path(stored.digest), kMaxOciManifest));
  if (!file && stored.digest == version) return std::optional<StoredManifest>();
  if (!file)
    return fail(ErrorKind::kInput, place + " is missing: there is no blob " + stored.digest);
  const std::string found = Sha256::digest_of(file->bytes());
  if (found != stored.digest) return wrong_digest(blob_path(stored.digest), stored.digest, found);
  stored.bytes = as_text(file->bytes());
  PGO_TRY(stored.media_type, own_media_type(stored.bytes, place));
  if (stored.media_type.empty()) {
    PGO_TRY(stored.media_type, listed_media_type(stored.digest));
  }
  return std::optional<StoredManifest>(std::move(stored));
}

Result<std::vector<ManifestName>> OciLayout::list_manifests() {
  PGO_TRY(const OciIndex index, read_index());
  std::vector<ManifestName> names;
  for (const OciDescriptor& manifest : index.manifests)
    names.push_back({tag_of(manifest), manifest.digest});
  std::sort(names.begin(), names.end(), [](const ManifestName& a, const ManifestName& b) {
    return std::tie(a.tag, a.digest) < std::tie(b.tag, b.digest);
  });
  return names;
}

Result<std::vector<std::string>> OciLayout::list_referrers(const std::string& digest) {
  PGO_TRY(const OciIndex index, read_index());
  std::set<std::string> referrers;
  for (const OciDescriptor& entry : index.manifests) {
    if (entry.media_type != kOciManifestType || !is_sha256_digest(entry.digest)) continue;
    // What is damaged, or of another digest, is no reason to hide the others.
    const Result<StoredManifest> stored = get_manifest(*this, entry.digest);
    if (!stored && stored.error().kind == ErrorKind::kIo) return fail(stored.error());
    if (!stored) continue;
    const Result<OciManifest> manifest = parse_oci_manifest(stored->bytes, entry.digest);
    if (manifest && manifest->subject && manifest->subject->digest == digest)
      referrers.insert(entry.digest);
  }
  return std::vector<std::string>(referrers.begin(), referrers.end());
}

Result<void> OciLayout::fetch_blob(const OciDescriptor& blob, BlobSink& sink) {
  PGO_CHECK(check_digest_kind(name_, blob.digest));
  const std::string path = blob_path(blob.digest);
  PGO_TRY(const std::optional<MappedFile> file, open_if_there(path, kNoLimit));
  if (!file) return missing_blob(name_, blob);
  const std::string found = Sha256::digest_of(file->bytes());
  if (found != blob.digest) {
    Failure failure = wrong_digest(path, blob.digest, found);
    failure.error.advice = kRepair;
    return failure;
  }
  PGO_CHECK(check_size(path, file->bytes().size(), blob));
  return sink.append(file->bytes());
}

Result<void> OciLayout::glance_at(const OciDescriptor& blob) {
  PGO_CHECK(check_digest_kind(name_, blob.digest));
  const std::string path = blob_path(blob.digest);
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0)
    return errno == ENOENT ? missing_blob(name_, blob) : io_failure(path, "cannot open");
  return check_size(path, static_cast<uint64_t>(status.st_size), blob);
}

Result<bool> OciLayout::has_blob(const OciDescriptor& blob) {
  PGO_CHECK(check_digest_kind(name_, blob.digest));
  if (use_ == Use::kPush) PGO_CHECK(lock_blobs(LOCK_SH));
  PGO_TRY(const std::optional<MappedFile> file, open_if_there(blob_path(blob.digest), kNoLimit));
  return file && file->bytes().size() == blob.size &&
         Sha256::digest_of(file->bytes()) == blob.digest;
}

Result<bool> OciLayout::push_blob(const std::string& digest, Bytes bytes) {
  PGO_TRY(const bool is_there, has_blob({"", digest, bytes.size()}));
  if (is_there) return false;
  const std::string found = Sha256::digest_of(bytes);
  if (found != digest)
    return fail(ErrorKind::kInput, name_ + ": contents with the digest " + digest +
                                       " changed while they were read, and are " + found + " now");
  PGO_CHECK(write_file(blob_path(digest), as_text(bytes)));
  return true;
}

Result<std::string> OciLayout::listed_media_type(const std::string& digest) const {
  PGO_TRY(const OciIndex index, read_index());
  for (const OciDescriptor& manifest : index.manifests)
    if (manifest.digest == digest) return manifest.media_type;
  return std::string(kOciManifestType);
}

Result<OciDescriptor> OciLayout::push_manifest_blob(const std::string& media_type,
                                                    const std::string& bytes) {
  OciDescriptor manifest;
  manifest.media_type = media_type;
  manifest.digest = Sha256::digest_of(as_bytes(bytes));
  const std::string place = name_ + ": the manifest " + manifest.digest;
  manifest.size = bytes.size();
  if (manifest.media_type == kOciManifestType) {
    PGO_TRY(const OciManifest parsed, parse_oci_manifest(bytes, place));
    manifest.artifact_type = parsed.artifact_type;
  }
  PGO_TRY([[maybe_unused]] const bool is_new, push_blob(manifest.digest, as_bytes(bytes)));
  return manifest;
}

Result<void> OciLayout::push_manifest_as(const std::string& media_type, const std::string& bytes,
                                         const std::string& tag) {
  PGO_TRY(const OciDescriptor manifest, push_manifest_blob(media_type, bytes));
  PGO_TRY([[maybe_unused]] const bool is_added, add_to_index(manifest, tag, std::nullopt));
  return ok();
}

Result<bool> OciLayout::move_tag(const std::string& bytes, const std::string& tag,
                                 const std::string& expected) {
  PGO_TRY(const OciDescriptor manifest, push_manifest_blob(kOciManifestType, bytes));
  return add_to_index(manifest, tag, expected);
}

Result<bool> OciLayout::add_to_index(const OciDescriptor& manifest, const std::string& tag,
                                     const std::optional<std::string>& expected) const {
  std::optional<UniqueFd> lock;
  PGO_CHECK(lock_file(directory_ + "/.prodpgo/index.lock", LOCK_EX, lock));
  PGO_TRY(OciIndex index, read_index());
  if (expected && digest_of_tag(index, tag) != *expected) return false;
  if (add_manifest(index, manifest, tag))
    PGO_CHECK(write_file(directory_ + "/index.json", oci_index_text(index)));
  return true;
}

Result<OciLayout::Garbage> OciLayout::collect_garbage(
    Removal removal, const std::function<Result<std::set<std::string>>()>& choose) {
  std::optional<UniqueFd> lock;  // no tag is given meanwhile
  if (removal == Removal::kRemove) {
    PGO_CHECK(lock_blobs(LOCK_EX));
    PGO_CHECK(lock_file(directory_ + "/.prodpgo/index.lock", LOCK_EX, lock));
  }
  PGO_TRY(const std::set<std::string> kept, choose());
  PGO_TRY(OciIndex index, read_index());
  Garbage garbage;
  std::set<std::string> removed;
  for (const OciDescriptor& manifest : index.manifests)
    if (!kept.contains(manifest.digest)) removed.insert(manifest.digest);
  garbage.manifests = removed.size();
  std::erase_if(index.manifests,
                [&](const OciDescriptor& manifest) { return removed.contains(manifest.digest); });
  std::vector<std::string> staying;
  for (const OciDescriptor& manifest : index.manifests) staying.push_back(manifest.digest);
  for (const std::string& digest : kept)  // also what is in no index
    if (is_sha256_digest(digest) && ::access(blob_path(digest).c_str(), F_OK) == 0)
      staying.push_back(digest);
  PGO_TRY(const std::set<std::string> used, used_by(std::move(staying)));
  if (removal == Removal::kRemove && !removed.empty())
    PGO_CHECK(write_file(directory_ + "/index.json", oci_index_text(index)));
  PGO_CHECK(remove_blobs(used, removal, garbage));
  blobs_lock_.reset();
  return garbage;
}

Result<std::set<std::string>> OciLayout::used_by(std::vector<std::string> manifests) const {
  // A manifest may be a layer of another one as well, so what was looked at is kept apart.
  std::set<std::string> used, visited;
  while (!manifests.empty()) {
    const std::string manifest = std::move(manifests.back());
    manifests.pop_back();
    if (!is_sha256_digest(manifest) || !visited.insert(manifest).second) continue;
    used.insert(manifest);
    PGO_CHECK(add_used(manifest, used, manifests));
  }
  return used;
}

Result<void> OciLayout::add_used(const std::string& manifest, std::set<std::string>& used,
                                 std::vector<std::string>& manifests) const {
  const std::string place = name_ + ": the manifest " + manifest;
  const std::string nothing = "nothing was removed, because it is not known which blobs it uses; ";
  const std::string advice = nothing + "push the same files again, or take it out of index.json";
  PGO_TRY(const std::optional<MappedFile> file, open_if_there(blob_path(manifest), kMaxOciIndex));
  if (!file) return fail(ErrorKind::kInput, place + " is missing", advice);
  const std::string found = Sha256::digest_of(file->bytes());
  if (found != manifest) {
    Failure failure = wrong_digest(blob_path(manifest), manifest, found);
    failure.error.advice = advice;
    return failure;
  }
  const std::string_view text = as_text(file->bytes());
  if (Result<OciManifest> parsed = parse_oci_manifest(text, place)) {
    used.insert(parsed->config.digest);
    for (const OciDescriptor& layer : parsed->layers) used.insert(layer.digest);
    return ok();
  }
  Result<OciIndex> index = parse_oci_index(text, place);
  if (!index)
    return fail(ErrorKind::kUnsupported, place + " is of a kind that is not known",
                nothing + "take it out of index.json");
  for (const OciDescriptor& one : index->manifests) manifests.push_back(one.digest);
  return ok();
}

Result<void> OciLayout::remove_blobs(const std::set<std::string>& used, Removal removal,
                                     Garbage& garbage) const {
  auto remove_from = [&](const char* folder, auto is_kept) -> Result<void> {
    std::error_code error;
    for (auto entry = fs::directory_iterator(directory_ + folder, error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string path = entry->path();
      struct stat status{};
      if (is_kept(entry->path().filename().string()) || ::lstat(path.c_str(), &status) != 0 ||
          !S_ISREG(status.st_mode))
        continue;
      garbage.blobs++;
      garbage.bytes += static_cast<uint64_t>(status.st_size);
      if (removal == Removal::kRemove && ::unlink(path.c_str()) != 0)
        return io_failure(path, "cannot remove");
    }
    // Layouts that other tools made lack our folder.
    if (error && error != std::errc::no_such_file_or_directory)
      return fail(ErrorKind::kIo,
                  directory_ + folder + ": cannot read the directory: " + error.message());
    return ok();
  };
  PGO_CHECK(remove_from(kBlobsFolder, [&](const std::string& name) {
    return !is_sha256_digest("sha256:" + name) || used.contains("sha256:" + name);
  }));
  // No push runs now, so killed processes left these files.
  return remove_from(kTemporaryFolder, [](const std::string&) { return false; });
}

}  // namespace pgo
