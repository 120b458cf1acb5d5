#include "pgo/registry/library_name.h"

#include "pgo/base/file_name.h"

namespace pgo {

bool is_library_name(std::string_view text) {
  constexpr size_t kMaxSize = 100;
  return !text.empty() && text.size() <= kMaxSize && text[0] != '.' &&
         text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
             "0123456789_.-+") == text.npos;
}

std::string library_name(const std::string& path) {
  constexpr std::string_view kExtension = ".so";
  std::string name(file_name(path));
  const size_t last = name.find_last_not_of("0123456789.");
  if (last != name.npos && std::string_view(name).substr(0, last + 1).ends_with(kExtension))
    name.resize(last + 1);
  return is_library_name(name) ? name : "";
}

}  // namespace pgo
