// Inflating whole files: gzip (also of several members, whose contents follow one another) and zstd
// (also of several frames). What comes out is bounded: a few bytes can stand for gigabytes.
//
//   PGO_TRY(InflatedBytes inflated, inflate(file.bytes(), file.path()));
//   parse(inflated.bytes());
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

enum class Compression { kNone, kGzip, kZstd };

// By the first bytes.
Compression find_compression(Bytes bytes);

// Bytes that were inflated, or a view of bytes that needed no inflating and must outlive this.
class InflatedBytes {
 public:
  InflatedBytes() = default;
  explicit InflatedBytes(Bytes as_they_are) : bytes_(as_they_are) {}
  InflatedBytes(std::unique_ptr<uint8_t[]> buffer, size_t size)
      : buffer_(std::move(buffer)), bytes_(buffer_.get(), size) {}

  Bytes bytes() const { return bytes_; }

 private:
  std::unique_ptr<uint8_t[]> buffer_;
  Bytes bytes_;
};

inline constexpr uint64_t kInflateLimit = uint64_t{1} << 30;

// What a file of `stored` bytes may inflate to: 32 MB, and 100 times its size beyond that, which is
// more than profiles reach; 1 GB at most.
constexpr uint64_t inflate_limit(uint64_t stored) {
  constexpr uint64_t kAlways = uint64_t{32} << 20, kRatio = 100;
  return stored < (kInflateLimit - kAlways) / kRatio ? kAlways + kRatio * stored : kInflateLimit;
}

// Errors (kInput): damaged, cut short, more than `limit` bytes. `name` is for messages. Memory:
// twice what comes out, at most.
Result<InflatedBytes> inflate(Bytes bytes, const std::string& name, uint64_t limit);
inline Result<InflatedBytes> inflate(Bytes bytes, const std::string& name) {
  return inflate(bytes, name, inflate_limit(bytes.size()));
}

// The first `size` bytes of what is inside, to tell what it is; fewer when there are fewer or when
// it is damaged. O(size).
std::string inflate_start(Bytes bytes, size_t size);

}  // namespace pgo
