#include "pgo/archive/debuginfod_archive.h"

#include <map>
#include <optional>
#include <utility>

#include "pgo/binary/debug_file.h"
#include "pgo/elf/bolt/address_translation.h"

namespace pgo {
namespace {

// Of llvm-bolt's input, or of what llvm-bolt made of it.
BuildId flipped(const BuildId& id) {
  std::vector<uint8_t> bytes(id.bytes().begin(), id.bytes().end());
  if (!bytes.empty()) bytes.back() ^= 1;
  return BuildId(Bytes(bytes));
}

class DebuginfodArchive final : public BuildArchive {
 public:
  DebuginfodArchive(std::string name, std::vector<DebuginfodAccess> servers, const BlobCache& cache)
      : name_(std::move(name)), servers_(std::move(servers)), cache_(cache) {}

  const std::string& name() const override { return name_; }
  bool has_foreign_files() const override { return true; }

 protected:
  Result<std::vector<ReleaseRole>> list(const BuildId& build, ArchivedUse use) override {
    files_.clear();
    PGO_CHECK(add(ReleaseRole::kExecutable, build, ReleaseRole::kExecutable));
    if (!files_.contains(ReleaseRole::kExecutable) || use == ArchivedUse::kExecutable)
      return roles();
    PGO_TRY(const ElfImage executable, ElfImage::open(files_[ReleaseRole::kExecutable].path));
    if (!has_debug_info(executable))
      PGO_CHECK(add(ReleaseRole::kDebug, executable.build_id(), ReleaseRole::kDebug));
    if (is_bolted(executable)) PGO_CHECK(add_prebolt(flipped(executable.build_id())));
    return roles();
  }

  Result<FetchedFile> fetch(const BuildId&, ReleaseRole role) override { return files_.at(role); }

  // A server has each file by its own build ID only.
  Result<std::vector<BuildId>> list_relatives(const BuildId&) override {
    return std::vector<BuildId>();
  }

 private:
  Result<void> add_prebolt(const BuildId& id) {
    PGO_CHECK(add(ReleaseRole::kPrebolt, id, ReleaseRole::kExecutable));
    const auto prebolt = files_.find(ReleaseRole::kPrebolt);
    if (prebolt == files_.end() || files_.contains(ReleaseRole::kDebug)) return ok();
    PGO_TRY(const ElfImage image, ElfImage::open(prebolt->second.path));
    // The debug file of a release may be that of llvm-bolt's input.
    return has_debug_info(image) ? ok() : add(ReleaseRole::kDebug, id, ReleaseRole::kDebug);
  }

  // As `role`, what a server has of the build `id`: its executable or its debug file.
  Result<void> add(ReleaseRole role, const BuildId& id, ReleaseRole file) {
    std::optional<Error> failed;
    for (const DebuginfodAccess& server : servers_) {
      Result<std::optional<FetchedFile>> found = find_at(server, id, file);
      if (!found && !failed) failed = found.error();
      if (!found || !*found) continue;
      files_[role] = **std::move(found);
      return ok();
    }
    return failed ? fail(*std::move(failed)) : ok();
  }

  Result<std::optional<FetchedFile>> find_at(const DebuginfodAccess& server, const BuildId& id,
                                             ReleaseRole file) {
    const std::string place = server.place(id, file);
    const std::string key = "debuginfod\n" + place;
    std::optional<Blob> blob = cache_.find(key);
    // What is in the cache is of this build, unless the server sent another one then.
    if (blob && is_of(blob->path, id)) return std::optional(FetchedFile{blob->path, place});
    PGO_TRY(BlobWriter writer, cache_.write());
    PGO_TRY(const bool is_there, server.fetch(id, file, writer));
    if (!is_there) return std::optional<FetchedFile>();
    PGO_TRY(blob, writer.commit(key));
    PGO_CHECK(check(blob->path, place, id));
    return std::optional(FetchedFile{blob->path, place});
  }

  static bool is_of(const std::string& path, const BuildId& id) {
    const Result<ElfImage> image = ElfImage::open(path);
    return image && image->build_id().matches(id);
  }

  static Result<void> check(const std::string& path, const std::string& place, const BuildId& id) {
    const Result<ElfImage> image = ElfImage::open(path);
    if (!image)
      return fail(ErrorKind::kInput, place + ": cannot be read: " + image.error().message,
                  "check what the server has of this build");
    if (image->build_id().matches(id)) return ok();
    return fail(ErrorKind::kInput,
                place + ": the server sent a file of the build " +
                    (image->build_id().empty() ? "without an ID" : image->build_id().hex()),
                "check what the server has of this build");
  }

  std::vector<ReleaseRole> roles() const {
    std::vector<ReleaseRole> roles;
    for (const auto& [role, file] : files_) roles.push_back(role);
    return roles;
  }

  std::map<ReleaseRole, FetchedFile> files_;  // of the build that was listed last
  const std::string name_;
  const std::vector<DebuginfodAccess> servers_;
  const BlobCache& cache_;
};

}  // namespace

std::unique_ptr<BuildArchive> open_debuginfod_archive(std::string name,
                                                      std::vector<DebuginfodAccess> servers,
                                                      const BlobCache& cache) {
  return std::make_unique<DebuginfodArchive>(std::move(name), std::move(servers), cache);
}

}  // namespace pgo
