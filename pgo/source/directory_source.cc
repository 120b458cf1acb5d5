#include "pgo/source/directory_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/file_name.h"
#include "pgo/base/sha256.h"
#include "pgo/base/unique_fd.h"
#include "pgo/source/bundle.h"
#include "pgo/source/directory_files.h"
#include "pgo/source/file_identity.h"
#include "pgo/source/name_labels.h"
#include "pgo/source/path_template.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr size_t kChunk = size_t{1} << 18;
constexpr std::string_view kDigestPrefix = "sha256:";  // of the version of a member

int64_t changed_at(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

std::string version_of(const struct stat& status) {
  return std::to_string(status.st_size) + "-" + std::to_string(changed_at(status));
}

// Without slashes at the end, which the names below it would get.
std::string trimmed(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

class FileTree final : public Source {
 public:
  FileTree(std::string path, bool is_file, size_t max_files)
      : name_("dir:" + path),
        identity_("dir:" + identity_of(path)),
        path_(std::move(path)),
        is_file_(is_file),
        max_files_(max_files) {}

  const std::string& name() const override { return name_; }
  const std::string& identity() const override { return identity_; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                         Diagnostics& diagnostics) override;
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override;

 private:
  std::string path_of(const std::string& object) const {
    return is_file_ ? path_ : path_ + "/" + object;
  }
  Result<std::vector<SourceObject>> list_files(Diagnostics& diagnostics) const;
  Result<void> check_weights(const Bundle& bundle) const;
  std::vector<SourceObject> list_members(const Bundle& bundle) const;
  Result<void> send(const SourceObject& object, size_t index, ObjectSink& sink) const;

  std::string name_, identity_, path_;
  bool is_file_;
  size_t max_files_;
};

Result<std::vector<SourceObject>> FileTree::list(const SourceQuery& /*query*/,
                                                 Diagnostics& diagnostics) {
  if (is_file_) return list_files(diagnostics);
  PGO_TRY(std::optional<Bundle> bundle, read_bundle(path_));
  if (!bundle) return list_files(diagnostics);
  PGO_CHECK(check_weights(*bundle));
  return list_members(*bundle);
}

// An earlier output of a fetch lies where its input is. Its profiles would count twice.
void leave_out_bundles(std::vector<std::string>& files, const std::string& source,
                       Diagnostics& diagnostics) {
  std::vector<std::string> bundles;
  for (const std::string& file : files) {
    if (file_name(file) != kBundleName) continue;
    const std::string directory = fs::path(file).parent_path().string();
    const Result<std::optional<Bundle>> bundle = read_bundle(directory);
    if (bundle ? bundle->has_value() : bundle.error().kind == ErrorKind::kUnsupported)
      bundles.push_back(directory);
  }
  for (const std::string& bundle : bundles) {
    std::erase_if(files, [&](const std::string& file) { return file.starts_with(bundle + "/"); });
    diagnostics.warn(kBundleInDirectory,
                     source + ": left out the bundle " + bundle +
                         ", whose profiles may come from here; to fetch it, name it as a source");
  }
}

Result<std::vector<SourceObject>> FileTree::list_files(Diagnostics& diagnostics) const {
  std::vector<std::string> files{path_};
  if (!is_file_) {
    PGO_TRY(files, files_below(path_, max_files_));
  }
  if (files.size() > max_files_)
    return fail(ErrorKind::kInput,
                name_ + ": has more than " + std::to_string(max_files_) + " files");
  if (!is_file_) leave_out_bundles(files, name_, diagnostics);
  std::vector<SourceObject> objects;
  for (const std::string& file : files) {
    SourceObject object;
    object.name = is_file_ ? std::string(file_name(file)) : file.substr(path_.size() + 1);
    struct stat status{};
    if (::stat(file.c_str(), &status) == 0) {  // else it is gone, which fetch() says
      object.time = changed_at(status);
      object.time_evidence = TimeEvidence::kModified;
      object.size = static_cast<uint64_t>(status.st_size);
      object.version = version_of(status);
    }
    objects.push_back(std::move(object));
  }
  std::sort(objects.begin(), objects.end(),
            [](const SourceObject& a, const SourceObject& b) { return a.name < b.name; });
  return objects;
}

// An object of a source has no weight, so profiles that weigh differently would all count the same.
Result<void> FileTree::check_weights(const Bundle& bundle) const {
  for (const BundleMember& member : bundle.members) {
    const Weight &first = bundle.members[0].weight, &other = member.weight;
    if (first == other) continue;
    return fail(ErrorKind::kUnsupported,
                name_ + ": is a bundle of profiles with different weights, and a bundle that is " +
                    "fetched loses its weights",
                "give the path of the bundle itself to the commands that read profiles, or fetch "
                "from the store again");
  }
  return ok();
}

std::vector<SourceObject> FileTree::list_members(const Bundle& bundle) const {
  std::vector<SourceObject> objects;
  for (const BundleMember& member : bundle.members) {
    SourceObject object;
    object.name = member.path;
    object.labels = member.labels;
    if (member.window) {
      object.time = member.window->begin;
      object.time_evidence = member.window_evidence;
    }
    object.size = member.size;
    object.version = member.digest;
    objects.push_back(std::move(object));
  }
  return objects;
}

void FileTree::fetch(std::span<const SourceObject> objects, ObjectSink& sink) {
  for (size_t i = 0; i < objects.size(); i++) sink.end(i, send(objects[i], i, sink));
}

Result<void> FileTree::send(const SourceObject& object, size_t index, ObjectSink& sink) const {
  const std::string path = path_of(object.name);
  if (object.version.starts_with(kDigestPrefix))
    PGO_CHECK(check_member_file(path_, object.name, object.size.value_or(0)));
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) return io_failure(path, "cannot open");
  struct stat status{};
  if (::fstat(file.fd, &status) != 0) return io_failure(path, "cannot read");
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::kIo, path + ": is not a regular file");
  const bool is_member = object.version.starts_with(kDigestPrefix);
  if (!is_member && object.version != version_of(status))
    return fail(ErrorKind::kIo, path + ": was changed since it was listed", "fetch again");
  PGO_CHECK(sink.begin(index));
  Sha256 hash;
  std::vector<uint8_t> chunk(kChunk);
  while (true) {
    const ssize_t length = ::read(file.fd, chunk.data(), chunk.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return io_failure(path, "cannot read");
    if (length == 0) break;
    const Bytes bytes(chunk.data(), static_cast<size_t>(length));
    if (is_member) hash.add(bytes);
    PGO_CHECK(sink.append(index, bytes));
  }
  if (is_member && object.version != std::string(kDigestPrefix) + hash.hex())
    return changed_member(path);
  return ok();
}

}  // namespace

Result<std::unique_ptr<Source>> DirectorySource::open(const std::string& path,
                                                      const DirectoryOptions& options) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return io_failure(path, "cannot open");
    return fail(ErrorKind::kInput, path + ": there is no such file or directory",
                "check the path; 'pgo upload' makes a directory");
  }
  const bool is_directory = S_ISDIR(status.st_mode);
  if (!is_directory && !S_ISREG(status.st_mode))
    return fail(ErrorKind::kIo, path + ": is neither a directory nor a regular file");
  std::unique_ptr<Source> tree =
      std::make_unique<FileTree>(trimmed(path), !is_directory, options.max_files);
  if (options.path_template.empty()) return tree;
  PGO_TRY(PathTemplate form, PathTemplate::parse(options.path_template));
  const std::string root =
      is_directory ? trimmed(path) + "/" : path.substr(0, path.size() - file_name(path).size());
  return with_name_labels(std::move(tree), {std::move(form), root});
}

}  // namespace pgo
