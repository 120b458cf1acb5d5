#include "pgo/upload/directory_destination.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/bytes.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
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
  Result<void> check(const Labels&) const override {
    std::error_code ignored;
    const fs::file_status status = fs::status(directory_, ignored);
    if (!fs::exists(status) || fs::is_directory(status)) return ok();
    return fail(ErrorKind::kUsage, directory_ + ": is not a directory",
                "name a directory for the profiles; it need not be there yet");
  }

  Result<std::vector<std::string>> put(const OutgoingProfile& profile, Diagnostics&) override {
    PGO_TRY(const std::string key, profile_key(profile));
    const fs::path path = fs::path(directory_) / key;
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

// The directories of a file, from its own up to the root, as long as they are empty.
void remove_empty_directories(const fs::path& root, const fs::path& file) {
  std::error_code error;
  for (fs::path directory = file.parent_path(); !directory.empty();
       directory = directory.parent_path())
    if (!fs::is_empty(root / directory, error) || error || !fs::remove(root / directory, error))
      return;
}

std::string service_of(const Labels& labels) {
  const auto service = labels.find("service");
  return service == labels.end() ? "" : service->second;
}

bool has_contents(const fs::path& path, std::string_view digest) {
  const Result<MappedFile> file = MappedFile::open(path.string());
  return file && Sha256::hex_of(file->bytes()).starts_with(digest);
}

}  // namespace

std::unique_ptr<ProfileDestination> open_directory_destination(const std::string& directory,
                                                               const std::string& name) {
  return std::make_unique<DirectoryDestination>(directory, name);
}

Result<uint64_t> remove_old_profiles(const std::string& directory, const OldProfiles& old) {
  PGO_TRY(const std::vector<std::string> files, files_below(directory, kMaxFiles));
  const fs::path root(directory);
  const auto below_root = [&](const std::string& file) {
    return fs::path(file).lexically_normal().lexically_relative(root.lexically_normal());
  };
  std::set<fs::path> fresh;
  for (const std::string& file : old.fresh) fresh.insert(below_root(file));
  uint64_t removed = 0;
  for (const std::string& file : files) {
    const fs::path path = below_root(file);
    const std::optional<ProfileKey> key = parse_profile_key(path.generic_string());
    if (!key || key->hour + kHour > old.before || fresh.contains(path)) continue;
    if (!old.service.empty() && service_of(key->labels) != old.service) continue;
    if (!has_contents(file, key->digest)) continue;
    std::error_code error;
    // Another process may have removed it.
    const bool is_removed = fs::remove(file, error);
    if (error) return fail(ErrorKind::kIo, "cannot remove " + file + ": " + error.message());
    removed += is_removed;
    remove_empty_directories(root, path);
  }
  return removed;
}

}  // namespace pgo
