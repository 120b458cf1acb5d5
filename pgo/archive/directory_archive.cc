#include "pgo/archive/directory_archive.h"

#include <filesystem>

#include "pgo/base/atomic_file.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// Is this very file there? Error: another one is.
Result<bool> is_archived(const std::string& path, const ReleaseFile& file) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return false;
  if (status.type() != fs::file_type::regular)
    return fail(ErrorKind::kIo, path + ": is no regular file");
  PGO_TRY(const MappedFile found, MappedFile::open(path));
  const std::string digest = Sha256::digest_of(found.bytes());
  if (digest != file.digest) return other_contents(path, file, digest);
  return true;
}

Result<void> write_archived(const std::string& path, const ReleaseFile& file) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  fs::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::kIo,
                folder.string() + ": cannot make the directory: " + error.message());
  return write_file_atomically(path, as_text(file.image.bytes()));
}

}  // namespace

std::string archived_path(const std::string& directory, const ReleaseFile& file) {
  const std::string id = file.image.build_id().hex();
  return (fs::path(directory) / ".build-id" / id.substr(0, 2) / id.substr(2)).string() +
         (file.role == ReleaseRole::kDebug ? ".debug" : "");
}

Result<KeptRelease> keep_in_directory(const std::string& directory, const Release& release) {
  KeptRelease kept;
  // Asked of all before the first is written: with another file there, nothing changes.
  for (const ReleaseFile& file : release.files) {
    kept.files.push_back(kept_file(file, archived_path(directory, file)));
    PGO_TRY(const bool is_there, is_archived(kept.files.back().place, file));
    kept.files.back().is_new = !is_there;
  }
  for (size_t i = 0; i < kept.files.size(); i++) {
    if (!kept.files[i].is_new) continue;
    PGO_CHECK(write_archived(kept.files[i].place, release.files[i]));
  }
  return kept;
}

}  // namespace pgo
