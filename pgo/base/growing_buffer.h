// GrowingBuffer: where bytes of unknown number are inflated to. It is not cleared when it grows,
// and ends at a limit: a few bytes can stand for gigabytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "pgo/base/inflate.h"

namespace pgo {

class GrowingBuffer {
 public:
  explicit GrowingBuffer(uint64_t limit) : limit_(limit) {}

  uint8_t* end() { return buffer_.get() + size_; }
  uint64_t room() const { return capacity_ - size_; }
  void take(uint64_t bytes) { size_ += bytes; }
  // To `wanted` bytes, and twice as many as there are at least. False at the limit.
  bool grow(uint64_t wanted) {
    wanted = std::min(std::max(wanted, 2 * capacity_), limit_);
    if (wanted <= capacity_) return false;
    auto larger = std::make_unique_for_overwrite<uint8_t[]>(wanted);
    if (size_ > 0) std::memcpy(larger.get(), buffer_.get(), size_);
    buffer_ = std::move(larger);
    capacity_ = wanted;
    return true;
  }
  InflatedBytes finish() && { return InflatedBytes(std::move(buffer_), size_); }

 private:
  uint64_t limit_, size_ = 0, capacity_ = 0;
  std::unique_ptr<uint8_t[]> buffer_;
};

}  // namespace pgo
