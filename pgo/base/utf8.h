// UTF-8, for text that comes from files of others: names of functions and paths may be any bytes,
// and what is no UTF-8 has no width and may be a command to a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pgo {

// `text` with '?' for each byte that belongs to no character. (Not the shortest form, surrogates
// and what is beyond U+10FFFF are no characters.) O(length).
std::string valid_utf8(std::string_view text);

// The character that `text` begins with, which is valid and not empty.
struct Utf8Character {
  char32_t code = 0;
  size_t size = 0;  // bytes
};
Utf8Character first_character(std::string_view text);

// Controls, what sets the direction of text, has no width or looks like a space, and the two that
// XML forbids: with these, a name can look like another one, or rearrange what is beside it.
bool is_invisible(char32_t c);

// How many characters `text` has, which is valid. O(length).
size_t count_characters(std::string_view text);

}  // namespace pgo
