#include "pgo/base/utf8.h"

#include <algorithm>
#include <cstdint>

namespace pgo {
namespace {

bool is_continuation(char c) { return (c & 0xc0) == 0x80; }

// How many bytes the character takes that `text` begins with; 0 when it begins with none.
size_t size_of_character(std::string_view text) {
  auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < size || !std::all_of(&text[1], &text[1] + size - 1, is_continuation)) return 0;
  auto second = static_cast<uint8_t>(text[1]);
  bool is_longer_than_needed = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  bool is_surrogate = first == 0xed && second >= 0xa0;
  bool is_too_large = first == 0xf4 && second >= 0x90;
  return is_longer_than_needed || is_surrogate || is_too_large ? 0 : size;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (size_t size = 0; !text.empty(); text.remove_prefix(std::max<size_t>(size, 1))) {
    size = size_of_character(text);
    valid += size == 0 ? "?" : text.substr(0, size);
  }
  return valid;
}

size_t count_characters(std::string_view text) {
  return text.size() -
         static_cast<size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

}  // namespace pgo
