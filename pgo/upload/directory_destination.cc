#include "pgo/upload/directory_destination.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/bytes.h"
#include "pgo/source/directory_files.h"
#include "pgo/source/profile_key.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
constexpr size_t kMaxFiles = 10'000'000;

class DirectoryDestination final : public ProfileDestination {
 public:
  DirectoryDestination(std::string directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  KeptForm form() const override { return KeptForm::kFile; }

  Result<std::vector<std::string>> put(const OutgoingProfile& profile, Diagnostics&) override {
    const fs::path path = fs::path(directory_) / profile_key(profile);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      return fail(ErrorKind::kIo, "cannot make the directory " + path.parent_path().string() +
                                      ": " + error.message());
    PGO_TRY(AtomicFile file, AtomicFile::write(path.string(), as_text(profile.file)));
    PGO_CHECK(file.commit());
    return std::vector<std::string>{path.string()};
  }

 private:
  std::string directory_, name_;
};

// From the file's own directory up, as long as they are empty.
void remove_empty_directories(fs::path directory, const fs::path& root) {
  std::error_code error;
  while (directory != root && fs::is_empty(directory, error) && !error) {
    fs::remove(directory, error);
    directory = directory.parent_path();
  }
}

}  // namespace

std::unique_ptr<ProfileDestination> open_directory_destination(const std::string& directory,
                                                               const std::string& name) {
  return std::make_unique<DirectoryDestination>(directory, name);
}

Result<uint64_t> remove_old_profiles(const std::string& directory, int64_t time) {
  PGO_TRY(const std::vector<std::string> files, files_below(directory, kMaxFiles));
  const fs::path root(directory);
  uint64_t removed = 0;
  for (const std::string& file : files) {
    const fs::path path(file);
    const std::optional<int64_t> hour = hour_of_key(path.lexically_relative(root).generic_string());
    if (!hour || *hour + kHour > time) continue;
    std::error_code error;
    // Another process may have removed it.
    const bool is_removed = fs::remove(path, error);
    if (error) return fail(ErrorKind::kIo, "cannot remove " + file + ": " + error.message());
    removed += is_removed;
    remove_empty_directories(path.parent_path(), root);
  }
  return removed;
}

}  // namespace pgo
