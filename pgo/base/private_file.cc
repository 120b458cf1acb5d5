#include "pgo/base/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "pgo/base/file_time.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

// A new file beside `path`; -1 when that is impossible.
int create_beside(const std::string& path, std::string& name) {
  constexpr unsigned kMostTries = 1000;
  for (unsigned attempt = 0; attempt < kMostTries; attempt++) {
    name = path + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(attempt);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

Result<void> complete(const UniqueFd& file, const std::string& name, const std::string& path,
                      std::string_view contents, int64_t time) {
  PGO_CHECK(write_all(file.fd, contents, path));
  PGO_CHECK(set_time_of_change(name, time));
  if (::fsync(file.fd) != 0 || ::rename(name.c_str(), path.c_str()) != 0)
    return io_failure(path, "cannot write");
  return ok();
}

}  // namespace

Result<void> write_private_file(const std::string& path, std::string_view contents, int64_t time) {
  std::string name;
  const UniqueFd file(create_beside(path, name));
  if (file.fd < 0) return creation_failure(path, path);
  Result<void> written = complete(file, name, path, contents, time);
  if (!written) ::unlink(name.c_str());
  return written;
}

}  // namespace pgo
