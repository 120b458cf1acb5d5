// DuplicateFiles: finds inputs that count twice: a file that is named twice, and copies. Two
// recordings are never the same, so files with equal bytes are copies.
//
//   DuplicateFiles duplicates(files);
//   duplicates.add(files[i], bytes);     of each file that counts, while it is read; by any thread
//   duplicates.warn(diagnostics);
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/source/input_files.h"

namespace pgo {

class DuplicateFiles {
 public:
  // Nearly all files differ in size: only those of one size are hashed. O(files).
  explicit DuplicateFiles(const std::vector<InputFile>& files);

  // `bytes` are the file as stored. O(size) when another file has as many, else O(1).
  void add(const InputFile& file, Bytes bytes);
  // Says of each file that counts twice that it does; the same whatever the order of add().
  void warn(Diagnostics& diagnostics) const;

 private:
  std::set<uint64_t> shared_sizes_;  // that several files have
  std::mutex mutex_;
  std::set<std::string> named_twice_;
  // By size and hash: paths, of which the first is the original.
  std::map<std::pair<uint64_t, size_t>, std::set<std::string>> paths_;
};

}  // namespace pgo
