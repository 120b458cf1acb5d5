#include "pgo/delivery/kept_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "pgo/base/atomic_file.h"
#include "pgo/base/file_time.h"
#include "pgo/base/time_text.h"

namespace pgo {
namespace {

// "unsent-20261126T130000Z-4711.addr".
std::string name_of(const UnsentFile& file) {
  constexpr int64_t kSecond = 1'000'000'000;
  std::string time = format_time(file.time / kSecond * kSecond);
  std::erase_if(time, [](char letter) { return letter == '-' || letter == ':'; });
  return "unsent-" + time + "-" + std::to_string(::getpid()) + file.extension;
}

Result<void> write_file(const std::string& path, const UnsentFile& file) {
  PGO_TRY(AtomicFile written, AtomicFile::write(path, file.contents));
  if (::chmod(written.temporary().c_str(), S_IRUSR | S_IWUSR) != 0)
    return fail(ErrorKind::kIo, path + ": cannot set its permissions");
  PGO_CHECK(set_time_of_change(written.temporary(), file.time));
  return written.commit();
}

}  // namespace

Result<std::string> keep_file(const UnsentFile& file) {
  const std::string name = name_of(file);
  const Result<void> here = write_file(name, file);
  if (here) return std::string(name);
  // All users may write there. In a directory of its own, no other user can replace the file by a
  // link.
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (error) return fail(here.error());
  std::string directory = (temporary / "prodpgo-unsent-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return fail(here.error());
  std::string path = directory + "/" + name;
  PGO_CHECK(write_file(path, file));
  return path;
}

}  // namespace pgo
