// SourceText: the lines of source files that debug information names, as far as they are here.
//
//   SourceText sources({"."});
//   sources.line("/build/src/engine.cc", 41)    of ./build/src/engine.cc, ./src/engine.cc,
//   ./engine.cc
//
// A profile may name any file, so that only files below the given directories are read, whatever
// the path says: the longest end of the path that is a file below one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/mapped_file.h"

namespace pgo {

class SourceText {
 public:
  explicit SourceText(std::vector<std::string> roots) : roots_(std::move(roots)) {}

  // The file that has the lines of this one; empty: it is not here.
  const std::string& find(const std::string& path) { return open(path).path; }
  // How many lines it has; 0: it is not here.
  int64_t last_line(const std::string& path) {
    return static_cast<int64_t>(open(path).lines.size());
  }
  // Without the line end, tabs as spaces, of long lines the start; empty where there is none.
  // `number` from 1 on. O(1) after the first of a file.
  std::string line(const std::string& path, int64_t number);

 private:
  struct File {
    std::string path = {};
    std::optional<MappedFile> contents = {};
    std::vector<std::string_view> lines = {};
  };

  const File& open(const std::string& path);
  std::string look_for(const std::string& path) const;

  std::vector<std::string> roots_;
  std::map<std::string, File> files_;  // by the path that was asked for
};

}  // namespace pgo
