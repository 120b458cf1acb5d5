#include "pgo/archive/directory_archive.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/base/unique_fd.h"
#include "pgo/elf/bolt/address_translation.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// llvm-bolt's input is the executable of its own build ID.
std::string path_of(const std::string& directory, const BuildId& id, ReleaseRole role) {
  const std::string hex = id.hex();
  return (fs::path(directory) / ".build-id" / hex.substr(0, 2) / hex.substr(2)).string() +
         (role == ReleaseRole::kDebug ? ".debug" : "");
}

std::string digest_path(const std::string& path) { return path + ".sha256"; }

// Is the file as it was archived? `digest` is that of what is there.
Result<void> check_digest(const std::string& path, const std::string& digest) {
  std::error_code ignored;
  const std::string kept = digest_path(path);
  if (!fs::exists(kept, ignored)) return ok();
  PGO_TRY(const MappedFile text, MappedFile::open(kept));
  const std::string expected = "sha256:" + std::string(as_text(text.bytes()).substr(0, 64));
  if (digest == expected) return ok();
  return fail(ErrorKind::kMismatch,
              path + ": is damaged: its digest is " + digest + ", and " + kept + " has " + expected,
              "remove it, and archive the release again");
}

// Says what the file is, for check_digest().
Result<void> keep_digest(const std::string& path, const std::string& digest) {
  const std::string line =
      digest.substr(digest.find(':') + 1) + "  " + fs::path(path).filename().string() + "\n";
  const Result<MappedFile> kept = MappedFile::open(digest_path(path));
  if (kept && as_text(kept->bytes()) == line) return ok();
  const DeferredTermination termination;
  return write_file_atomically(digest_path(path), line);
}

// Is this very file there? Error: another one is.
Result<bool> is_archived(const std::string& path, const ReleaseFile& file) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return false;
  if (status.type() != fs::file_type::regular)
    return fail(ErrorKind::kIo, path + ": is not a regular file");
  PGO_TRY(const MappedFile found, MappedFile::open(path));
  const std::string digest = Sha256::digest_of(found.bytes());
  if (digest == file.digest) return true;
  PGO_CHECK(check_digest(path, digest));
  return other_contents(path, file, digest);
}

// Gives a complete file its name, unless another file has it: then false. FAT has no hard links,
// and some file systems in the network know no RENAME_NOREPLACE.
Result<bool> name_new_file(const std::string& complete, const std::string& path) {
  PGO_TRY(const std::string target, resolve_links(path));
  if (::link(complete.c_str(), target.c_str()) == 0) return true;
  if (errno == EEXIST) return false;
  if (::renameat2(AT_FDCWD, complete.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  if (errno == EEXIST) return false;
  return io_failure(path, "cannot write");
}

// False when another file has this place.
Result<bool> write_new(const std::string& path, const ReleaseFile& file) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  fs::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::kIo,
                folder.string() + ": cannot make the directory: " + error.message());
  const DeferredTermination termination;
  PGO_TRY(const AtomicFile complete, AtomicFile::write(path, as_text(file.image.bytes())));
  if (complete.temporary().empty()) return false;  // a pipe, say, has the name
  return name_new_file(complete.temporary(), path);
}

class DirectoryArchive final : public BuildArchive {
 public:
  DirectoryArchive(std::string directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }

 protected:
  Result<std::vector<ReleaseRole>> list(const BuildId& id, ArchivedUse) override {
    const BuildId build = whole_id(id);
    paths_.clear();
    add(ReleaseRole::kExecutable, build, ReleaseRole::kExecutable);
    add(ReleaseRole::kDebug, build, ReleaseRole::kDebug);
    if (is_made_by_bolt(build)) {
      PGO_TRY(const std::vector<BuildId> relatives, list_relatives(build));
      for (const BuildId& relative : relatives) {
        if (is_made_by_bolt(relative)) continue;  // another layout
        add(ReleaseRole::kPrebolt, relative, ReleaseRole::kExecutable);
        // The debug file of a release may be that of llvm-bolt's input.
        add(ReleaseRole::kDebug, relative, ReleaseRole::kDebug);
      }
    }
    std::vector<ReleaseRole> roles;
    for (const auto& [role, path] : paths_) roles.push_back(role);
    return roles;
  }
  Result<FetchedFile> fetch(const BuildId&, ReleaseRole role) override {
    const std::string& path = paths_.at(role);
    PGO_TRY(const MappedFile file, MappedFile::open(path));
    PGO_CHECK(check_digest(path, Sha256::digest_of(file.bytes())));
    return FetchedFile{path, path};
  }
  Result<std::vector<BuildId>> list_relatives(const BuildId& id) override {
    return relatives_among(list_neighbours(id), id);
  }

 private:
  // If the file is there, and no other one has the role.
  void add(ReleaseRole role, const BuildId& id, ReleaseRole of_id) {
    std::string path = path_of(directory_, id, of_id);
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) paths_.try_emplace(role, std::move(path));
  }
  // Both files of a release are executables here, so only the file itself tells which it is.
  bool is_made_by_bolt(const BuildId& build) const {
    const std::string path = path_of(directory_, build, ReleaseRole::kExecutable);
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return false;
    const Result<ElfImage> image = ElfImage::open(path);
    return image && is_bolted(*image);
  }
  // Of an ID that a recording cut: the ID of the build that the directory has. If both files of a
  // release have this beginning, it is that of what llvm-bolt made, to which the other one belongs.
  BuildId whole_id(const BuildId& id) const {
    const std::string shortest = path_of(directory_, id, ReleaseRole::kExecutable);
    std::error_code ignored;
    if (id.bytes().size() != kRecordedIdSize || fs::exists(shortest, ignored)) return id;
    std::set<BuildId> builds = list_neighbours(id);
    std::erase_if(builds, [&](const BuildId& build) { return !build.matches(id); });
    for (const BuildId& build : builds)
      if (is_made_by_bolt(build)) return build;
    return builds.empty() ? id : *builds.begin();
  }
  // The builds whose files have the same folder.
  std::set<BuildId> list_neighbours(const BuildId& id) const {
    const fs::path folder =
        fs::path(path_of(directory_, id, ReleaseRole::kExecutable)).parent_path();
    std::set<BuildId> builds;
    std::error_code error;
    for (auto file = fs::directory_iterator(folder, error);
         !error && file != fs::directory_iterator(); file.increment(error))
      if (const std::optional<BuildId> build =
              BuildId::from_hex(folder.filename().string() + file->path().filename().string()))
        builds.insert(*build);
    return builds;
  }

  std::map<ReleaseRole, std::string> paths_;  // of the build that was listed last
  const std::string directory_, name_;
};

}  // namespace

std::unique_ptr<BuildArchive> open_directory_archive(const std::string& directory,
                                                     const std::string& name) {
  return std::make_unique<DirectoryArchive>(directory, name);
}

std::string archived_path(const std::string& directory, const ReleaseFile& file) {
  return path_of(directory, file.image.build_id(), file.role);
}

Result<bool> put_in_directory(const std::string& directory, const ReleaseFile& file) {
  const std::string path = archived_path(directory, file);
  PGO_TRY(const bool is_new, write_new(path, file));
  if (!is_new) {
    PGO_TRY(const bool is_there, is_archived(path, file));
    if (!is_there) return removed_meanwhile(path);
  }
  PGO_CHECK(keep_digest(path, file.digest));
  return is_new;
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
    if (!kept.files[i].is_new) {
      PGO_CHECK(keep_digest(kept.files[i].place, release.files[i].digest));
      continue;
    }
    PGO_TRY(kept.files[i].is_new, put_in_directory(directory, release.files[i]));
  }
  return kept;
}

}  // namespace pgo
