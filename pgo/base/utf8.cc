#include "pgo/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

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

Utf8Character first_character(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  auto tail = [&](size_t i) { return static_cast<char32_t>(byte(i) & 0x3f); };
  if (byte(0) < 0x80) return {byte(0), 1};
  if (byte(0) < 0xe0) return {static_cast<char32_t>(byte(0) & 0x1f) << 6 | tail(1), 2};
  if (byte(0) < 0xf0)
    return {static_cast<char32_t>(byte(0) & 0x0f) << 12 | tail(1) << 6 | tail(2), 3};
  return {static_cast<char32_t>(byte(0) & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
}

bool is_invisible(char32_t c) {
  if (c >= 0x20 && c < 0x7f) return false;
  constexpr std::array<std::pair<char32_t, char32_t>, 15> kRanges = {{{0, 0x1f},
                                                                      {0x7f, 0x9f},
                                                                      {0xad, 0xad},
                                                                      {0x61c, 0x61c},
                                                                      {0x115f, 0x1160},
                                                                      {0x180b, 0x180f},
                                                                      {0x200b, 0x200f},
                                                                      {0x2028, 0x202e},
                                                                      {0x2060, 0x206f},
                                                                      {0x3164, 0x3164},
                                                                      {0xfe00, 0xfe0f},
                                                                      {0xfeff, 0xfeff},
                                                                      {0xffa0, 0xffa0},
                                                                      {0xfffe, 0xffff},
                                                                      {0xe0000, 0xe0fff}}};
  return std::ranges::any_of(
      kRanges, [&](const auto& range) { return c >= range.first && c <= range.second; });
}

size_t count_characters(std::string_view text) {
  return text.size() -
         static_cast<size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

}  // namespace pgo
