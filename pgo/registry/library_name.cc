#include "pgo/registry/library_name.h"

#include "pgo/base/file_name.h"
#include "pgo/registry/version_word.h"

namespace pgo {

bool is_library_name(std::string_view text) { return is_version_word(text, 100) && text[0] != '.'; }

std::string library_name(const std::string& path) {
  constexpr std::string_view kExtension = ".so";
  std::string name(file_name(path));
  const size_t last = name.find_last_not_of("0123456789.");
  if (last != name.npos && std::string_view(name).substr(0, last + 1).ends_with(kExtension))
    name.resize(last + 1);
  return is_library_name(name) ? name : "";
}

}  // namespace pgo
