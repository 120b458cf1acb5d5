#include "converters/llvm_sample/llvm_sample_format.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "pgo/base/text_start.h"

namespace pgo {
namespace {

// "SPROF42" as a big-endian number, with the last byte left to the form.
constexpr uint64_t kMagic = 0x5350524f46343200;
constexpr uint64_t kBinaryMagic = kMagic | 0xff, kExtBinaryMagic = kMagic | 0x04;

bool is_number(std::string_view text) {
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size();
}

// "name:total:head"; a name may hold colons.
bool is_head_line(std::string_view line) {
  size_t head = line.rfind(':');
  if (line.starts_with(' ') || head == line.npos || head == 0) return false;
  size_t total = line.rfind(':', head - 1);
  return total != line.npos && is_number(line.substr(head + 1)) &&
         is_number(line.substr(total + 1, head - total - 1));
}

}  // namespace

std::optional<LlvmSampleFormat> detect_binary_llvm_sample(Bytes bytes) {
  ByteCursor cursor(bytes);
  uint64_t magic = cursor.uleb128();
  if (!cursor.ok()) return std::nullopt;
  if (magic == kBinaryMagic) return LlvmSampleFormat::kBinary;
  if (magic == kExtBinaryMagic) return LlvmSampleFormat::kExtBinary;
  return std::nullopt;
}

std::optional<LlvmSampleFormat> detect_llvm_sample(Bytes bytes) {
  if (std::optional<LlvmSampleFormat> binary = detect_binary_llvm_sample(bytes)) return binary;
  constexpr size_t kMayBeBinary = size_t{1} << 16;
  std::string_view text = as_text(bytes).substr(0, kTextStart);
  if (text.substr(0, kMayBeBinary).find('\0') != text.npos) return std::nullopt;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    return is_head_line(line) ? std::optional(LlvmSampleFormat::kText) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace pgo
