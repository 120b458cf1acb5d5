// The directory's path is absolute, since the command that is recorded may change the emulator's
// working directory.
#include "pgo/record/recording_output.h"

#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "pgo/base/atomic_file.h"
#include "pgo/base/perf_data_layout.h"

namespace pgo {

Result<RecordingOutput> RecordingOutput::prepare(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return fail(ErrorKind::kUsage, path + " is not a regular file: name another with \xFF{output}");
  PGO_TRY(std::string target, resolve_links(path));
  std::error_code reason;
  target = std::filesystem::absolute(target, reason).string();
  if (reason) return fail(ErrorKind::kIo, path + ": " + reason.message());
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make_beside(target));
  return RecordingOutput(path, std::move(target), std::move(directory));
}

Result<std::string> RecordingOutput::place(const std::string& name) const {
  return replace_file(directory_.file(name), target_);
}

// perf starts a file with its magic and, when it has ended well, has filled in the data's size.
bool holds_recording(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  uint64_t data_size = 0;
  char header[perf_data::kDataSizeAt + sizeof data_size] = {};
  file.read(header, sizeof header);
  std::memcpy(&data_size, header + perf_data::kDataSizeAt, sizeof data_size);
  return file.gcount() == sizeof header &&
         std::string_view(header, sizeof header).starts_with(perf_data::kMagic) && data_size > 0;
}

}  // namespace pgo
