// Files that a command writes, complete in memory, on their way to the disk.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/convert/convert.h"

namespace pgo {

struct FileContents {
  std::string path;  // "-" is standard output
  std::string_view contents;
};

// Files whose contents are made one after another, and kept until all are written.
class MadeFiles {
 public:
  MadeFiles() = default;
  MadeFiles(const MadeFiles&) = delete;  // files_ refers to contents_
  MadeFiles& operator=(const MadeFiles&) = delete;

  void add(const std::string& path, std::string contents) {
    contents_.push_back(std::move(contents));
    files_.push_back({path, contents_.back()});
  }
  const std::vector<FileContents>& files() const { return files_; }

 private:
  std::deque<std::string> contents_;  // whose elements stay where they are
  std::vector<FileContents> files_;
};

// All files are complete on disk before the first one takes its place, and a request to end waits
// until nothing is left beside them. Pipes come last: whoever reads one may make us wait, and by
// then nothing is left to be removed. Error: kIo.
Result<void> write_files(const std::vector<FileContents>& files);

}  // namespace pgo
