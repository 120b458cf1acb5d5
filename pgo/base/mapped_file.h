// MappedFile: the bytes of one file, read-only. Regular files are mapped; small ones, pipes, "-"
// (standard input) and files that claim to be empty (as /proc has them) are read to their end. The
// bytes live as long as the MappedFile and do not move with it. A file that somebody cuts short
// while it is mapped cannot be survived (SIGBUS).
//
// What is not a regular file may have no end and must be held in memory, so its size is limited,
// and no more than the first 64 KB of it are read when these are not of a kind that is wanted. A
// named pipe that no program opens for writing is an error after a while.
#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

// By as many first bytes the kind of a file is found.
inline constexpr size_t kKindBytes = size_t{1} << 16;

// Of files that must be read into memory.
struct StreamOptions {
  // Is a file that begins so worth reading on? Null: any is.
  bool (*wants)(Bytes start) = nullptr;
  uint64_t limit = uint64_t{4} << 30;  // bytes
  std::chrono::milliseconds wait_for_writer{30'000};
};

class MappedFile {
 public:
  // Errors: kIo; kInput for more than the limit. What `wants` refuses has its first kKindBytes.
  static Result<MappedFile> open(const std::string& path, const StreamOptions& options = {});

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  const std::string& path() const { return path_; }
  Bytes bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  using Contents = std::unique_ptr<uint8_t, Free>;
  class StreamReader;

  MappedFile() = default;

  std::string path_;
  Bytes bytes_;
  void* mapping_ = nullptr;  // what to unmap; null when `contents_` holds the bytes
  Contents contents_;
};

}  // namespace pgo
