// BinaryCopy: the parts of an ELF file that reading samples needs, in memory. The file belongs to
// whoever is recorded, who may cut it short at any time. Reading it then fails; a mapped file would
// end this process (SIGBUS).
//
//   PGO_TRY(BinaryCopy copy, BinaryCopy::read("/proc/self/fd/7", {.with_code = true}));
//   PGO_TRY(ElfImage image, ElfImage::parse(copy.bytes(), "/usr/bin/queryd"));
//
// The bytes have the size of the file. What is left out, such as debug information, is zero, and
// takes no memory.
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

struct CopiedParts {
  bool with_code = false;  // and symbols; else only headers and notes, which have the build ID
  uint64_t max_bytes = uint64_t{512} << 20;  // of what is copied
};

class BinaryCopy {
 public:
  // Errors: kIo, also for what is not a regular file; kInput for what is not 64-bit ELF or is cut
  // short;
  // kUnsupported for more than `max_bytes`.
  static Result<BinaryCopy> read(const std::string& path, const CopiedParts& parts);

  BinaryCopy(BinaryCopy&& other) noexcept;
  BinaryCopy& operator=(BinaryCopy&& other) noexcept;
  BinaryCopy(const BinaryCopy&) = delete;
  BinaryCopy& operator=(const BinaryCopy&) = delete;
  ~BinaryCopy();

  Bytes bytes() const { return {memory_, size_}; }
  uint64_t copied_bytes() const { return copied_; }

 private:
  BinaryCopy() = default;

  uint8_t* memory_ = nullptr;
  size_t size_ = 0;
  uint64_t copied_ = 0;
};

}  // namespace pgo
