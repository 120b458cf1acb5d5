#include "pgo/delivery/kept_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "pgo/base/private_file.h"
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

}  // namespace

Result<std::string> keep_file(const UnsentFile& file) {
  const std::string name = name_of(file);
  const Result<void> here = write_private_file(name, file.contents, file.time);
  if (here) return std::string(name);
  // All users may write there. In a directory of its own, no other user can replace the file by a
  // link.
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (error) return fail(here.error());
  std::string directory = (temporary / "prodpgo-unsent-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return fail(here.error());
  std::string path = directory + "/" + name;
  PGO_CHECK(write_private_file(path, file.contents, file.time));
  return path;
}

}  // namespace pgo
