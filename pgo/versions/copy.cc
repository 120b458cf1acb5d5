#include "pgo/versions/copy.h"

#include <fcntl.h>
#include <unistd.h>

#include <set>
#include <utility>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

// A blob on its way, as a file: it may be larger than memory.
class FileSink final : public BlobSink {
 public:
  explicit FileSink(std::string path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {}

  Result<void> append(Bytes bytes) override {
    if (file_.fd < 0) return io_failure(path_, "cannot write");
    return write_all(file_.fd, as_text(bytes), path_);
  }
  Result<void> restart() override {
    if (::ftruncate(file_.fd, 0) != 0 || ::lseek(file_.fd, 0, SEEK_SET) != 0)
      return io_failure(path_, "cannot write");
    return ok();
  }

 private:
  std::string path_;
  UniqueFd file_;
};

class VersionCopy {
 public:
  VersionCopy(Registry& from, Registry& to) : from_(from), to_(to) {}

  // And what refers to it, which comes after it.
  Result<void> copy(const StoredManifest& stored, const std::string& tag) {
    if (!copied_.insert(stored.digest).second) return ok();
    PGO_TRY(const OciManifest manifest,
            parse_oci_manifest(stored.bytes, from_.name() + "@" + stored.digest));
    PGO_CHECK(copy_blob(manifest.config));
    for (const OciDescriptor& layer : manifest.layers) PGO_CHECK(copy_blob(layer));
    PGO_CHECK(to_.push_manifest(stored.bytes, ""));
    PGO_TRY(const std::vector<std::string> referrers, from_.list_referrers(stored.digest));
    for (const std::string& digest : referrers) {
      PGO_TRY(const StoredManifest referrer, get_manifest(from_, digest));
      PGO_CHECK(copy(referrer, ""));
    }
    // Last, so that the tag never names a version whose signatures are still to come.
    return tag.empty() ? ok() : to_.push_manifest(stored.bytes, tag);
  }

  CopyResult result() const {
    CopyResult result = result_;
    result.referrers = copied_.size() - 1;
    return result;
  }

 private:
  Result<void> copy_blob(const OciDescriptor& blob) {
    PGO_TRY(const bool is_there, to_.has_blob(blob));
    if (is_there) return ok();
    const DeferredTermination termination;
    PGO_TRY(const TemporaryDirectory directory, TemporaryDirectory::make());
    FileSink sink(directory.file("blob"));
    PGO_CHECK(from_.fetch_blob(blob, sink));
    PGO_TRY(const MappedFile contents, MappedFile::open(directory.file("blob")));
    PGO_TRY([[maybe_unused]] const bool is_new, to_.push_blob(blob.digest, contents.bytes()));
    result_.copied_blobs++;
    result_.copied_bytes += blob.size;
    return ok();
  }

  Registry &from_, &to_;
  std::set<std::string> copied_;
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
  VersionCopy copy(*from, *to);
  PGO_CHECK(copy.copy(stored, tag));
  CopyResult result = copy.result();
  result.digest = stored.digest;
  result.tag = tag;
  return result;
}

}  // namespace pgo
