#include "pgo/delivery/running_binaries.h"

#include <fcntl.h>

#include <filesystem>
#include <system_error>

#include "pgo/archive/sampled_builds.h"
#include "pgo/binary/binary.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

int open_program(std::optional<int64_t> pid) {
  if (!pid) return -1;
  return ::open(("/proc/" + std::to_string(*pid) + "/exe").c_str(), O_RDONLY | O_CLOEXEC);
}

bool is_build(const std::string& path, const BuildId& id) {
  const Result<ElfImage> image = open_elf(path);
  return image && image->build_id().matches(id);
}

}  // namespace

RunningBinaries::RunningBinaries(std::optional<int64_t> pid)
    : pid_(pid), program_(open_program(pid)) {}

Result<std::vector<std::string>> RunningBinaries::find_sampled(const std::string& recording,
                                                               const std::string& links,
                                                               Diagnostics& diagnostics) const {
  PGO_TRY(const std::vector<SampledBuild> builds, find_sampled_builds({recording}, 0));
  if (builds.empty())
    return fail(ErrorKind::kEmpty, "the recording has no samples of files with a build ID",
                "record for longer, and link the program with -Wl,--build-id");
  std::vector<std::string> found;
  for (const SampledBuild& build : builds) {
    std::vector<std::string> places = {build.path};
    if (pid_) places.push_back("/proc/" + std::to_string(*pid_) + "/root" + build.path);
    if (program_.fd >= 0) {
      // Its name tells more than that of a descriptor.
      const std::string link = links + "/" + fs::path(build.path).filename().string();
      std::error_code ignored;
      fs::create_symlink("/proc/self/fd/" + std::to_string(program_.fd), link, ignored);
      places.push_back(link);
    }
    const size_t before = found.size();
    for (const std::string& place : places) {
      if (!is_build(place, build.id)) continue;
      found.push_back(place);
      break;
    }
    if (found.size() == before)
      diagnostics.warn(kBinaryGone, build.path + ": is not there as it ran (build ID " +
                                        build.id.hex() + "), so its samples are left out");
  }
  if (found.empty())
    return fail(ErrorKind::kMismatch,
                builds[0].path + ": no sampled file is there as it ran (build ID " +
                    builds[0].id.hex() + ")",
                "record into a file, and convert it with the binary that ran");
  return found;
}

}  // namespace pgo
