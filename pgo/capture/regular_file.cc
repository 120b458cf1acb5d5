#include "pgo/capture/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace pgo {

std::unique_ptr<UniqueFd> open_regular_file(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  auto file = std::make_unique<UniqueFd>(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file->fd < 0 || ::fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  return file;
}

}  // namespace pgo
