// KnownFiles: tells files apart whatever their paths.
#pragma once

#include <sys/stat.h>

#include <set>
#include <string>
#include <utility>

namespace pgo {

class KnownFiles {
 public:
  // False when the file at `path` was added before. Standard input and files that are not there
  // are known by their path.
  bool add(const std::string& path) {
    struct stat status{};
    if (path == "-" || ::stat(path.c_str(), &status) != 0) return paths_.insert(path).second;
    return ids_.insert({status.st_dev, status.st_ino}).second;
  }

 private:
  std::set<std::pair<dev_t, ino_t>> ids_;
  std::set<std::string> paths_;
};

}  // namespace pgo
