// SourceText: the lines of the source files that debug information names, if they can be found.
//
//   SourceText sources({"."});
//   sources.line("/build/src/engine.cc", 41)    // ./build/src/engine.cc, else
//                                               // ./src/engine.cc, else ./engine.cc
//
// A profile may name any file, so only files below the given directories are read. The longest
// suffix of the path that names a file below one of them is used.
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

  // The path of the file that was found for `path`; empty: not found.
  const std::string& find(const std::string& path) { return open(path).path; }
  // The number of its lines; 0: not found.
  int64_t last_line(const std::string& path) {
    return static_cast<int64_t>(open(path).lines.size());
  }
  // Without the line end, with tabs expanded and long lines truncated; empty if there is no such
  // line. `number` starts at 1. O(1) after the first line of a file.
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
  std::map<std::string, File> files_;  // by requested path
};

}  // namespace pgo
