#include "pgo/source/duplicate_files.h"

#include <sys/stat.h>

#include <functional>
#include <string_view>

namespace pgo {

DuplicateFiles::DuplicateFiles(const std::vector<InputFile>& files) {
  std::set<uint64_t> sizes;
  for (const InputFile& file : files) {
    struct stat status{};
    if (file.named_before || file.path == "-" || ::stat(file.path.c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode) || status.st_size == 0)
      continue;
    auto size = static_cast<uint64_t>(status.st_size);
    if (!sizes.insert(size).second) shared_sizes_.insert(size);
  }
}

void DuplicateFiles::add(const InputFile& file, Bytes bytes) {
  bool may_be_copy = !file.named_before && file.path != "-" && shared_sizes_.contains(bytes.size());
  size_t hash = may_be_copy ? std::hash<std::string_view>()(as_text(bytes)) : 0;
  std::lock_guard lock(mutex_);
  if (file.named_before) named_twice_.insert(file.shown());
  if (may_be_copy) paths_[{bytes.size(), hash}].insert(file.shown());
}

void DuplicateFiles::warn(Diagnostics& diagnostics) const {
  for (const std::string& path : named_twice_)
    diagnostics.warn("named-twice", path + ": is named twice and is counted twice");
  for (const auto& [key, paths] : paths_)
    for (const std::string& path : paths)
      if (path != *paths.begin())
        diagnostics.warn("copy", path + ": is a copy of " + *paths.begin() +
                                     ", and both are counted; leave one out");
}

}  // namespace pgo
