#include "pgo/versions/lock_turns.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <utility>

#include "pgo/base/atomic_file.h"

namespace pgo {

Result<LockTurns> wait_for_turns(const std::vector<std::string>& locks) {
  // Each directory once, and all processes in the same order, so that none waits for itself or for
  // one that waits for it.
  std::map<std::pair<dev_t, ino_t>, std::unique_ptr<UniqueFd>> directories;
  for (const std::string& lock : locks) {
    PGO_TRY(const std::string target, resolve_links(lock));
    const std::string directory = std::filesystem::absolute(target).parent_path();
    auto fd =
        std::make_unique<UniqueFd>(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status{};
    if (fd->fd >= 0 && ::fstat(fd->fd, &status) == 0)
      directories.emplace(std::pair(status.st_dev, status.st_ino), std::move(fd));
  }
  LockTurns turns;
  for (auto& [identity, fd] : directories) {
    while (::flock(fd->fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    turns.push_back(std::move(fd));
  }
  return turns;
}

}  // namespace pgo
