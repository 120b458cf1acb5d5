// A word in a version or in a lock file that people choose: the name of a profile, of a shared
// library, or of a configuration.
#pragma once

#include <cstddef>
#include <string_view>

namespace pgo {

// Letters and digits of ASCII, '_', '.', '-' and '+'; at least one of them and at most `max_size`.
inline bool is_version_word(std::string_view text, size_t max_size) {
  return !text.empty() && text.size() <= max_size &&
         text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
             "0123456789_.-+") == text.npos;
}

}  // namespace pgo
