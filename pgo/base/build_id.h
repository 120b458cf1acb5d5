// BuildId: the identity of an ELF file, from its NT_GNU_BUILD_ID note. 8 to 32 bytes in practice
// (GNU ld: 20, lld --build-id=fast: 8); perf cuts longer ones to 20.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/bytes.h"

namespace pgo {

class BuildId {
 public:
  static constexpr size_t kMaxSize = 32;
  static constexpr size_t kMinSize = 8;  // shorter ones would match by chance

  BuildId() = default;
  // Bytes beyond kMaxSize are ignored.
  explicit BuildId(Bytes bytes);
  static std::optional<BuildId> from_hex(std::string_view hex);

  bool empty() const { return size_ == 0; }
  Bytes bytes() const { return Bytes(bytes_.data(), size_); }
  std::string hex() const;

  // Equal, or one is a prefix (of kMinSize bytes or more) of the other.
  bool matches(const BuildId& other) const;
  // A BOLTed binary and its input are one identity: do they match, or differ in the last quarter
  // alone, which tells llvm-bolt's layouts apart (pgo/elf/bolt/layout_id.h)? Symmetric, too.
  bool matches_bolted(const BuildId& other) const;

  auto operator<=>(const BuildId&) const = default;

 private:
  std::array<uint8_t, kMaxSize> bytes_{};
  uint8_t size_ = 0;
};

}  // namespace pgo
