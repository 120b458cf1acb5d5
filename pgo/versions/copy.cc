#include "pgo/versions/copy.h"

#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <utility>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/base/unique_fd.h"
#include "pgo/versions/whole_manifest.h"

namespace pgo {
namespace {

// More than any version has signatures: a registry may make up one referrer after the other.
constexpr size_t kMaxReferrers = 1000;

// A blob on its way, as a file: it may be larger than memory. The file has lost its name already,
// so nothing remains of it when the process ends in the middle of a transfer.
class FileSink final : public BlobSink {
 public:
  static Result<std::unique_ptr<FileSink>> make() {
    const DeferredTermination termination;  // while it has a name
    PGO_TRY(const TemporaryDirectory directory, TemporaryDirectory::make());
    const std::string path = directory.file("blob");
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return creation_failure(path, path);
    return std::make_unique<FileSink>(fd, path);
  }
  FileSink(int fd, std::string path) : file_(fd), path_(std::move(path)) {}

  Result<void> append(Bytes bytes) override { return write_all(file_.fd, as_text(bytes), path_); }
  Result<void> restart() override {
    if (::ftruncate(file_.fd, 0) != 0 || ::lseek(file_.fd, 0, SEEK_SET) != 0)
      return io_failure(path_, "cannot write");
    return ok();
  }
  Result<MappedFile> contents() const {
    return MappedFile::open("/proc/self/fd/" + std::to_string(file_.fd));
  }

 private:
  const UniqueFd file_;
  const std::string path_;  // for messages
};

class VersionCopy {
 public:
  VersionCopy(Registry& from, Registry& to) : from_(from), to_(to) {}

  // And what refers to it, and to that, each after what it refers to.
  Result<void> copy(const StoredManifest& version, const std::string& tag) {
    PGO_TRY(const std::string media_type, copy_manifest(version));
    PGO_CHECK(add_referrers(version.digest, version.digest));
    for (size_t next = 0; next < referrers_.size(); next++) {
      const std::string digest = referrers_[next];
      PGO_TRY(const std::optional<StoredManifest> referrer, from_.find_manifest(digest));
      if (!referrer) continue;  // it is listed, but missing
      PGO_TRY([[maybe_unused]] const std::string its_type, copy_manifest(*referrer));
      copied_referrers_++;
      PGO_CHECK(add_referrers(digest, version.digest));
    }
    // Last, so that the tag never names a version whose signatures are still to come.
    return tag.empty() ? ok() : to_.push_manifest_as(media_type, version.bytes, tag);
  }

  CopyResult result() const {
    CopyResult result = result_;
    result.referrers = copied_referrers_;
    return result;
  }

 private:
  // Its media type.
  Result<std::string> copy_manifest(const StoredManifest& stored) {
    const std::string place = from_.name() + "@" + stored.digest;
    PGO_TRY(const OciManifest manifest, parse_oci_manifest(stored.bytes, place));
    PGO_CHECK(copy_blob(manifest.config));
    for (const OciDescriptor& layer : manifest.layers) PGO_CHECK(copy_blob(layer));
    PGO_TRY(std::string media_type, own_media_type(stored.bytes, place));
    if (media_type.empty()) media_type = stored.media_type;
    PGO_CHECK(to_.push_manifest_as(media_type, stored.bytes, ""));
    return media_type;
  }

  Result<void> add_referrers(const std::string& digest, const std::string& version) {
    PGO_TRY(const std::vector<std::string> referrers, from_.list_referrers(digest));
    for (const std::string& referrer : referrers) {
      if (referrer == version || !seen_.insert(referrer).second) continue;
      if (referrers_.size() == kMaxReferrers)
        return fail(ErrorKind::kInput,
                    from_.name() + ": more than " + std::to_string(kMaxReferrers) +
                        " manifests refer to " + version + ", directly or through other manifests",
                    "remove those that are not needed, or copy from another registry");
      referrers_.push_back(referrer);
    }
    return ok();
  }

  Result<void> copy_blob(const OciDescriptor& blob) {
    PGO_TRY(const bool is_there, to_.has_blob(blob));
    if (is_there) return ok();
    PGO_CHECK(check_blob_size(from_.name(), blob));
    PGO_TRY(const std::unique_ptr<FileSink> sink, FileSink::make());
    PGO_CHECK(from_.fetch_blob(blob, *sink));
    PGO_TRY(const MappedFile contents, sink->contents());
    PGO_TRY([[maybe_unused]] const bool is_new, to_.push_blob(blob.digest, contents.bytes()));
    result_.copied_blobs++;
    result_.copied_bytes += blob.size;
    return ok();
  }

  Registry &from_, &to_;
  std::vector<std::string> referrers_;  // as they are copied
  std::set<std::string> seen_;          // the same
  size_t copied_referrers_ = 0;
  CopyResult result_;
};

}  // namespace

Result<CopyResult> copy_version(const CopyRequest& request) {
  if (request.from.version().empty())
    return fail(ErrorKind::kUsage, reference_text(request.from) + ": does not say which version",
                "add ':TAG' or '@sha256:...'");
  if (!request.to.digest.empty())
    return fail(ErrorKind::kUsage, reference_text(request.to) + ": a copy keeps its digest",
                "leave it out");
  PGO_TRY(const std::unique_ptr<Registry> from, request.open(request.from, RegistryUse::kRead));
  PGO_TRY(const StoredManifest stored, get_manifest(*from, request.from.version()));
  PGO_TRY(const std::unique_ptr<Registry> to, request.open(request.to, RegistryUse::kPush));
  const std::string& tag = request.to.tag.empty() ? request.from.tag : request.to.tag;
  PGO_TRY(std::string moved_from, find_moved_from(*to, tag, stored.digest));
  VersionCopy copy(*from, *to);
  PGO_CHECK(copy.copy(stored, tag));
  CopyResult result = copy.result();
  result.moved_from = std::move(moved_from);
  result.digest = stored.digest;
  result.tag = tag;
  return result;
}

}  // namespace pgo
