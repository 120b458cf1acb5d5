#include "pgo/base/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace pgo {
namespace {

std::unique_ptr<UniqueFd> open_directory(const std::string& directory) {
  return std::make_unique<UniqueFd>(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

std::unique_ptr<UniqueFd> try_lock_directory(const std::string& directory) {
  std::unique_ptr<UniqueFd> fd = open_directory(directory);
  if (fd->fd < 0 || ::flock(fd->fd, LOCK_EX | LOCK_NB) != 0) return nullptr;
  return fd;
}

std::unique_ptr<UniqueFd> lock_directory(const std::string& directory) {
  std::unique_ptr<UniqueFd> fd = open_directory(directory);
  while (fd->fd >= 0 && ::flock(fd->fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  return fd;
}

}  // namespace pgo
