#include "pgo/refresh/run_workspace.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/directory_lock.h"
#include "pgo/base/sha256.h"
#include "pgo/source/blob_cache.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

void remove_contents(const std::string& directory) {
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

Result<std::unique_ptr<RunWorkspace>> RunWorkspace::take(const std::string& cache,
                                                         const std::string& lock,
                                                         const std::string& name,
                                                         const ProgressFn& progress) {
  // Also makes the directory, for its user only.
  PGO_TRY([[maybe_unused]] const BlobCache opened, BlobCache::open(cache));
  PGO_TRY(const std::string target, resolve_links(lock));
  std::error_code error;
  const std::string service =
      fs::weakly_canonical(fs::absolute(target), error).string() + "\n" + name;
  const Bytes bytes{reinterpret_cast<const uint8_t*>(service.data()), service.size()};
  constexpr size_t kAlgorithm = std::string_view("sha256:").size(), kDigits = 16;
  const std::string path =
      cache + "/refresh/" + Sha256::digest_of(bytes).substr(kAlgorithm, kDigits);
  fs::create_directories(path, error);
  if (error)
    return fail(ErrorKind::kIo, path + ": cannot make the directory: " + error.message(),
                "set " + std::string(kCacheVariable) + " to another");
  std::unique_ptr<UniqueFd> turn = try_lock_directory(path);
  if (!turn) {
    report_progress(progress, {"waiting for another run of " + name, 0, 0, "runs"});
    turn = lock_directory(path);
  }
  remove_contents(path);
  return std::unique_ptr<RunWorkspace>(new RunWorkspace(path, std::move(turn)));
}

RunWorkspace::~RunWorkspace() { remove_contents(path_); }

Result<void> copy_into_workspace(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return fail(ErrorKind::kIo, to + ": cannot copy: " + error.message());
  return ok();
}

}  // namespace pgo
