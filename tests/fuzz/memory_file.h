// A file in memory with a path, for what is given to calls that open files by name.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "pgo/base/bytes.h"

namespace pgo::test {

class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written <= 0) std::abort();
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace pgo::test
