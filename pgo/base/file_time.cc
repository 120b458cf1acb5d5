#include "pgo/base/file_time.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace pgo {

Result<void> set_time_of_change(const std::string& path, int64_t time) {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec moment{};
  moment.tv_sec = static_cast<time_t>(time / kSecond);
  moment.tv_nsec = static_cast<long>(time % kSecond);
  const timespec times[] = {moment, moment};
  if (::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0) return ok();
  return fail(ErrorKind::kIo, path + ": cannot set the time of its last change: " +
                                  std::generic_category().message(errno));
}

}  // namespace pgo
