#include "pgo/versions/cached_blob.h"

namespace pgo {
namespace {

class CacheSink final : public BlobSink {
 public:
  explicit CacheSink(BlobWriter& writer) : writer_(writer) {}
  Result<void> append(Bytes bytes) override { return writer_.append(bytes); }
  Result<void> restart() override { return writer_.restart(); }

 private:
  BlobWriter& writer_;
};

}  // namespace

Result<Blob> fetch_into_cache(Registry& registry, const OciDescriptor& blob,
                              const BlobCache& cache) {
  PGO_CHECK(check_blob_size(registry.name(), blob));
  PGO_TRY(BlobWriter writer, cache.write());
  CacheSink sink(writer);
  PGO_CHECK(registry.fetch_blob(blob, sink));
  PGO_TRY(Blob fetched, writer.commit(""));
  if (fetched.digest != blob.digest)
    return wrong_digest(registry.name(), blob.digest, fetched.digest);
  return fetched;
}

}  // namespace pgo
