// MappedFile: the bytes of one file, read-only. Regular files are mapped; small ones, pipes, "-"
// (standard input) and files that claim to be empty (as /proc has them) are read to their end. The
// bytes live as long as the MappedFile and do not move with it. A file that somebody cuts short
// while it is mapped cannot be survived (SIGBUS).
#pragma once

#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  const std::string& path() const { return path_; }
  Bytes bytes() const { return bytes_; }

 private:
  MappedFile() = default;

  std::string path_;
  Bytes bytes_;
  void* mapping_ = nullptr;  // what to unmap; null when `contents_` holds the bytes
  std::vector<uint8_t> contents_;
};

}  // namespace pgo
