// UniqueFd: an open file descriptor with an owner, how to write all of something to one, and the
// error that failed calls on it give.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

// Closes its descriptor when it goes out of scope; standard streams stay open.
struct UniqueFd {
  int fd = -1;
  explicit UniqueFd(int opened) : fd(opened) {}
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() {
    if (fd > STDERR_FILENO) ::close(fd);
  }
};

// "path: what: " and what errno means.
inline Failure io_failure(const std::string& path, const char* what) {
  return fail(ErrorKind::kIo, path + ": " + what + ": " + std::strerror(errno));
}

// Why nothing could be created in the directory of `target`, by errno. `path` is how the user calls
// it.
inline Failure creation_failure(const std::string& path, const std::string& target) {
  size_t slash = target.rfind('/');
  std::string directory = slash == std::string::npos ? "." : target.substr(0, slash + (slash == 0));
  if (errno == ENOENT && ::access(directory.c_str(), F_OK) == 0)  // of the kernel, such as /proc
    return fail(ErrorKind::kIo, path + ": no file can be created in " + directory);
  if (errno == ENOENT)
    return fail(ErrorKind::kIo, path + ": the directory " + directory + " does not exist");
  if (errno == ENOTDIR)
    return fail(ErrorKind::kIo, path + ": " + directory + " is not a directory");
  return io_failure(path, ("cannot create a file in " + directory).c_str());
}

// Writes the whole text, however many calls that takes. Error: kIo, naming `path`.
inline Result<void> write_all(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_failure(path, "cannot write");
    text.remove_prefix(static_cast<size_t>(n));
  }
  return ok();
}

}  // namespace pgo
