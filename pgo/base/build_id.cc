#include "pgo/base/build_id.h"

#include <algorithm>

#include "pgo/base/layout_size.h"

namespace pgo {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

BuildId::BuildId(Bytes bytes) : size_(static_cast<uint8_t>(std::min(bytes.size(), kMaxSize))) {
  std::copy_n(bytes.begin(), size_, bytes_.begin());
}

std::optional<BuildId> BuildId::from_hex(std::string_view hex) {
  if (hex.empty() || hex.size() % 2 != 0 || hex.size() > 2 * kMaxSize) return std::nullopt;
  BuildId id;
  for (size_t i = 0; i < hex.size(); i += 2) {
    int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes_[id.size_++] = static_cast<uint8_t>(high * 16 + low);
  }
  return id;
}

std::string BuildId::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes()) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool BuildId::matches(const BuildId& other) const {
  size_t common = std::min(size_, other.size_);
  if (common < kMinSize) return !empty() && *this == other;
  return std::equal(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(common),
                    other.bytes_.begin());
}

bool BuildId::matches_bolted(const BuildId& other) const {
  if (matches(other)) return true;
  // The shorter ID counts: the longer one is that padded, or goes on beyond what can be compared.
  BuildId shorter = size_ <= other.size_ ? *this : other;
  const BuildId& longer = size_ <= other.size_ ? other : *this;
  if (shorter.empty()) return false;
  if (shorter.size_ < kMinSize) {
    // Too short to tell a layout: the two may differ in the last bit, which llvm-bolt flips.
    shorter.bytes_[shorter.size_ - 1u] ^= 1;
    return shorter == longer;
  }
  const size_t common = shorter.size_ - layout_size(shorter.size_);
  return std::equal(shorter.bytes_.begin(),
                    shorter.bytes_.begin() + static_cast<std::ptrdiff_t>(common),
                    longer.bytes_.begin());
}

}  // namespace pgo
