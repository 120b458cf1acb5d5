// The name of a file in its path. What recordings add to names is pgo/elf/image_match.h's matter.
#pragma once

#include <string_view>

namespace pgo {

// "server" of "/srv/bin/server"; empty for a directory's "/srv/bin/".
constexpr std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// Archives and caches name a file by its build ID or its digest, which are no names for people.
constexpr bool is_digest_name(std::string_view path) {
  constexpr size_t kShortest = 14;  // of a build ID of 8 bytes, behind the two digits of its folder
  const std::string_view name = file_name(path);
  return name.size() >= kShortest && name.find_first_not_of("0123456789abcdef") == name.npos;
}

}  // namespace pgo
