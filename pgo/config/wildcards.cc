#include "pgo/config/wildcards.h"

#include <cstddef>

namespace pgo {
namespace {

bool continues_character(char byte) { return (byte & 0xc0) == 0x80; }

}  // namespace

// Only the last "*" is tried again: what earlier ones took need not change.
bool matches_wildcards(std::string_view pattern, std::string_view text) {
  size_t at = 0, in_pattern = 0;
  size_t after_star = pattern.npos, taken = 0;  // `taken`: the end of what the last "*" took
  while (at < text.size()) {
    const bool has_more = in_pattern < pattern.size();
    if (has_more && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      taken = at;
    } else if (has_more && pattern[in_pattern] == '?') {
      in_pattern++, at++;
      while (at < text.size() && continues_character(text[at])) at++;
    } else if (has_more && pattern[in_pattern] == text[at]) {
      in_pattern++, at++;
    } else if (after_star != pattern.npos) {
      in_pattern = after_star;
      at = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == pattern.npos;
}

}  // namespace pgo
