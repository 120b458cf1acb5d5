#include "pgo/base/bytes.h"

namespace pgo {

Bytes ByteCursor::take(uint64_t size) {
  if (!ok_ || size > remaining()) {
    ok_ = false;
    return {};
  }
  Bytes taken = bytes_.subspan(position_, static_cast<size_t>(size));
  position_ += static_cast<size_t>(size);
  return taken;
}

uint64_t ByteCursor::uleb128() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = u8();
    uint64_t bits = byte & 0x7f;
    if (!ok_ || (shift == 63 && bits > 1)) break;
    value |= bits << shift;
    if ((byte & 0x80) == 0) return value;
  }
  ok_ = false;
  return 0;
}

int64_t ByteCursor::sleb128() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = u8();
    uint64_t bits = byte & 0x7f;
    // Of the tenth byte only one bit fits; the others repeat it.
    if (!ok_ || (shift == 63 && bits != 0 && bits != 0x7f)) break;
    value |= bits << shift;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~uint64_t{0} << (shift + 7);
    return static_cast<int64_t>(value);
  }
  ok_ = false;
  return 0;
}

std::string_view ByteCursor::c_string() {
  std::string_view text = until_nul(bytes_.subspan(position_));
  if (!ok_ || text.size() == remaining()) {
    ok_ = false;
    return {};
  }
  position_ += text.size() + 1;
  return text;
}

std::optional<Bytes> slice(Bytes bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

std::string_view until_nul(Bytes bytes) {
  if (bytes.empty()) return {};
  const char* begin = reinterpret_cast<const char*>(bytes.data());
  return {begin, strnlen(begin, bytes.size())};
}

}  // namespace pgo
