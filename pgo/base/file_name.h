// The name of a file in its path. What recordings add to names is pgo/elf/image_match.h's matter.
#pragma once

#include <string_view>

namespace pgo {

// "server" of "/srv/bin/server"; empty for a directory's "/srv/bin/".
constexpr std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace pgo
