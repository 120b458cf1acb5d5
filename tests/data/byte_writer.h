// Appends little-endian integers, strings and padding to bytes, for what writes test inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pgo::test {

using ByteVector = std::vector<uint8_t>;

// Byte by byte: g++ 12 warns falsely about vector::insert of a range in inlined code.
template <typename T>
void put(ByteVector& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}
inline void put32(ByteVector& out, uint32_t value) { put(out, value); }
inline void put64(ByteVector& out, uint64_t value) { put(out, value); }
inline void put_bytes(ByteVector& out, std::string_view bytes) {
  for (char byte : bytes) out.push_back(static_cast<uint8_t>(byte));
}
inline void put_bytes(ByteVector& out, const ByteVector& bytes) {
  for (uint8_t byte : bytes) out.push_back(byte);
}
inline void pad_to(ByteVector& out, size_t multiple) {
  while (out.size() % multiple != 0) out.push_back(0);
}

// A string as it ends a record: NUL, then zeros up to eight bytes.
inline void put_name(ByteVector& out, std::string_view name) {
  put_bytes(out, name);
  out.push_back(0);
  pad_to(out, 8);
}

}  // namespace pgo::test
