// The directory's path is absolute, since the command that is recorded may change the emulator's
// working directory.
#include "pgo/record/recording_output.h"

#include <sys/stat.h>

#include <filesystem>

#include "pgo/base/atomic_file.h"

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

}  // namespace pgo
