#include "pgo/base/temporary_directory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "pgo/base/unique_fd.h"

namespace pgo {

Result<TemporaryDirectory> TemporaryDirectory::make() {
  const char* named = std::getenv("TMPDIR");
  std::string parent = named != nullptr && *named != '\0' ? named : "/tmp";
  std::string path = parent + "/prodpgo-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr)
    return fail(ErrorKind::kIo, "cannot make a directory in " + parent + ": " +
                                    std::strerror(errno) + ": set TMPDIR to another");
  return TemporaryDirectory(std::move(path));
}

Result<TemporaryDirectory> TemporaryDirectory::make_beside(const std::string& target) {
  // Hidden: what reads all files of the directory passes over it.
  std::string path = target;
  path.insert(path.rfind('/') + 1, ".");
  path += ".XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return creation_failure(target, target);
  return TemporaryDirectory(std::move(path));
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace pgo
