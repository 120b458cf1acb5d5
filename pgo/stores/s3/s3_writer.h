// S3Writer: writes objects into a bucket, small ones by one request and large ones in parts.
//
//   S3Writer writer(bucket, {});
//   PGO_CHECK(writer.put("queryd/1.42/merged.pb.gz", bytes, "application/octet-stream"));
//
// An object appears whole or not at all. Parts of an upload that fails are removed again (aborted);
// when that fails too, or the process is killed, they stay until the store's own rules remove them,
// and no list shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/stores/s3/s3_bucket.h"

namespace pgo::s3 {

struct S3WriterOptions {
  // In bytes. S3 takes no parts smaller than 5 MiB but the last, and 10 000 parts at most; parts
  // become larger for an object that would need more. As many parts as the bucket's client sends
  // at once are in memory.
  uint64_t part_size = 8 << 20;
};

// An object that is there.
struct KeptObject {
  uint64_t size = 0;
  std::string sha256 = {};  // hexadecimal, of one that put_new() wrote; empty: unknown

  bool operator==(const KeptObject&) const = default;
};

class S3Writer {
 public:
  // `bucket` must outlive the writer.
  S3Writer(S3Bucket& bucket, const S3WriterOptions& options) : bucket_(bucket), options_(options) {}

  // `key` is below the prefix of the bucket's address. Replaces an object of this key. Errors: kIo,
  // kInput for answers that are not S3's.
  Result<void> put(const std::string& key, Bytes bytes, const std::string& content_type);
  // Writes only where there is no object of this key, and notes the digest in the metadata, for
  // find(). False when there is one, or another process writes one now. A store that does not know
  // the condition (If-None-Match) refuses it, or passes over it: then an object that another
  // process wrote at the same time is replaced.
  Result<bool> put_new(const std::string& key, Bytes bytes, const std::string& content_type);
  // Nothing when there is no object of this key. Errors: kIo, kInput.
  Result<std::optional<KeptObject>> find(const std::string& key);
  // SHA-256 of an object of `size` bytes, in hexadecimal: reads it in parts. Errors: kIo; kInput.
  Result<std::string> read_digest(const std::string& key, uint64_t size);

 private:
  class PartTransfer;
  struct Upload;
  using Headers = std::vector<std::pair<std::string, std::string>>;
  std::string whole_key(const std::string& key) const;
  enum class Condition : uint8_t { kNone, kIsNew };
  Result<bool> put_if(Condition condition, const std::string& key, Bytes bytes,
                      const Headers& headers);
  Result<bool> put_parts(Condition condition, const std::string& key, Bytes bytes,
                         const Headers& headers);
  Result<void> send_parts(Upload& upload);
  Result<bool> complete(Condition condition, const Upload& upload);
  // Sends what makes the object appear; nothing when the condition does not hold.
  Result<std::optional<net::HttpResponse>> send_if(Condition condition, S3Request request);

  S3Bucket& bucket_;
  S3WriterOptions options_;
};

}  // namespace pgo::s3
