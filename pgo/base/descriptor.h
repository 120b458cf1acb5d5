// Descriptor: an open file descriptor with an owner, and the error that failed calls on it give.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "pgo/base/result.h"

namespace pgo {

// Closes its descriptor when it goes out of scope; standard streams stay open.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd > STDERR_FILENO) ::close(fd);
  }
};

// "path: what: " and what errno means.
inline Failure io_failure(const std::string& path, const char* what) {
  return fail(ErrorKind::kIo, path + ": " + what + ": " + std::strerror(errno));
}

}  // namespace pgo
