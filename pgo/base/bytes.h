// ByteCursor: the only way this project reads bytes it did not write.
//
//   ByteCursor cursor(bytes);
//   uint32_t type = cursor.u32();
//   std::string_view name = cursor.c_string();
//   if (!cursor.ok()) return fail(ErrorKind::kInput, "record ends early");
//
// A read past the end yields zero or an empty view and makes ok() false for good, so a reader stays
// linear and checks once, before it uses what it read. Integers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace pgo {

using Bytes = std::span<const uint8_t>;

// The same bytes as characters.
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A little-endian integer at any alignment; `p` must have sizeof(T) readable bytes.
template <typename T>
T load_le(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

class ByteCursor {
 public:
  explicit ByteCursor(Bytes bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }

  uint8_t u8() { return read<uint8_t>(); }
  uint16_t u16() { return read<uint16_t>(); }
  uint32_t u32() { return read<uint32_t>(); }
  uint64_t u64() { return read<uint64_t>(); }
  // An unsigned LEB128 of at most 64 bits.
  uint64_t uleb128();
  // A signed LEB128 of at most 64 bits.
  int64_t sleb128();

  void skip(uint64_t size) { take(size); }
  // The next `size` bytes, or an empty view when there are fewer.
  Bytes take(uint64_t size);
  // Up to the next NUL, which is consumed too; without one the cursor fails.
  std::string_view c_string();

 private:
  template <typename T>
  T read() {
    Bytes bytes = take(sizeof(T));
    return bytes.empty() ? T{0} : load_le<T>(bytes.data());
  }

  Bytes bytes_;
  size_t position_ = 0;
  bool ok_ = true;
};

// `size` bytes from `offset` on; nothing when they are not all there.
std::optional<Bytes> slice(Bytes bytes, uint64_t offset, uint64_t size);

// `bytes` up to its first NUL, or all of it.
std::string_view until_nul(Bytes bytes);

}  // namespace pgo
