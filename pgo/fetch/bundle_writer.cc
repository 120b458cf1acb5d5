#include "pgo/fetch/bundle_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "pgo/base/atomic_file.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

Failure cannot_write(const std::string& path, const std::string& why) {
  return fail(ErrorKind::kIo, "cannot write " + path + ": " + why);
}

// "a/b" of "a/b/": the directory beside which a temporary one is made.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Without what shells or file systems take for something else; directories leave out names that
// begin with a dot. The extension is at the end of a name.
std::string plain_name(std::string_view part, size_t longest) {
  std::string name(part.substr(part.size() - std::min(part.size(), longest)));
  for (char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' || c == '=';
    if (!is_plain) c = '_';
  }
  if (name.starts_with('.')) name[0] = '_';
  return name;
}

std::string name_of_last_error() { return std::strerror(errno); }

// To a new file. `shown` is what messages call it.
Result<void> copy_file(const std::string& from, const std::string& to, const std::string& shown) {
  constexpr size_t kMost = size_t{1} << 30, kChunk = size_t{1} << 18;
  const UniqueFd source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.fd < 0) return io_failure(from, "cannot open");
  const UniqueFd copy(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (copy.fd < 0) return cannot_write(shown, name_of_last_error());
  while (true) {
    const ssize_t length = ::copy_file_range(source.fd, nullptr, copy.fd, nullptr, kMost, 0);
    if (length == 0) return ok();
    if (length > 0 || errno == EINTR) continue;
    if (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) break;
    return cannot_write(shown, name_of_last_error());
  }
  // File systems between which the kernel does not copy: what is left.
  std::vector<char> chunk(kChunk);
  while (true) {
    const ssize_t length = ::read(source.fd, chunk.data(), chunk.size());
    if (length == 0) return ok();
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return io_failure(from, "cannot read");
    PGO_CHECK(write_all(copy.fd, {chunk.data(), static_cast<size_t>(length)}, shown));
  }
}

// The first file or directory below `path`, by name, that is neither bundle.json nor a member nor a
// directory of members.
Result<std::optional<std::string>> first_extra_file(const std::string& path, const Bundle& bundle) {
  std::set<std::string> files{kBundleName}, directories;
  for (const BundleMember& member : bundle.members) {
    files.insert(member.path);
    for (size_t slash = member.path.find('/'); slash != std::string::npos;
         slash = member.path.find('/', slash + 1))
      directories.insert(member.path.substr(0, slash));
  }
  std::optional<std::string> first;
  std::error_code error;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().lexically_relative(path).generic_string();
    std::error_code unknown;
    const bool is_directory = at->symlink_status(unknown).type() == fs::file_type::directory;
    if ((is_directory ? directories : files).contains(name)) continue;
    if (is_directory) at.disable_recursion_pending();
    if (!first || name < *first) first = name;
  }
  if (error) return fail(ErrorKind::kIo, "cannot read " + path + ": " + error.message());
  return first;
}

}  // namespace

Result<void> check_bundle_target(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    const std::string parent = fs::path(without_slashes(path)).parent_path().string();
    const std::string directory = parent.empty() ? "." : parent;
    if (::access(directory.c_str(), W_OK | X_OK) != 0)
      return cannot_write(path, directory + ": " + name_of_last_error());
    return ok();
  }
  if (!fs::is_directory(status))
    return fail(ErrorKind::kUsage, path + " is a file, and a bundle is a directory",
                "name another with \xFF{output}");
  if (fs::is_empty(path, error) && !error) return ok();
  if (error) return cannot_write(path, error.message());
  PGO_TRY(std::optional<Bundle> bundle, read_bundle(path));
  if (!bundle)
    return fail(ErrorKind::kUsage, path + " is a directory with other files, and not a bundle",
                "name another with \xFF{output}");
  PGO_TRY(std::optional<std::string> extra, first_extra_file(path, *bundle));
  if (extra)
    return fail(ErrorKind::kUsage,
                without_slashes(path) + "/" + *extra +
                    " is not part of the bundle, and would be deleted with it",
                "move it elsewhere, or name another directory with \xFF{output}");
  return ok();
}

Result<BundleWriter> BundleWriter::begin(const std::string& target) {
  PGO_TRY(TemporaryDirectory staging, TemporaryDirectory::make_beside(without_slashes(target)));
  // Others may read a bundle as far as the umask lets them.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::chmod(staging.path().c_str(), 0777 & ~mask) != 0)
    return cannot_write(target, name_of_last_error());
  return BundleWriter(without_slashes(target), std::move(staging));
}

Result<void> BundleWriter::add_file(const std::string& name, const std::string& from) {
  const std::string to = staging_.file(name);
  std::error_code error;
  fs::create_directories(fs::path(to).parent_path(), error);
  if (error) return cannot_write(target_ + "/" + name, error.message());
  return copy_file(from, to, target_ + "/" + name);
}

Result<void> BundleWriter::add_contents(const std::string& name, std::string_view contents) {
  const std::string to = staging_.file(name);
  std::error_code error;
  fs::create_directories(fs::path(to).parent_path(), error);
  if (error) return cannot_write(target_ + "/" + name, error.message());
  return write_file_atomically(to, contents);
}

Result<void> BundleWriter::commit(const Bundle& bundle) {
  PGO_CHECK(add_contents(kBundleName, bundle_text(bundle)));
  PGO_CHECK(check_bundle_target(target_));
  // Over nothing, or over an empty directory.
  if (::rename(staging_.path().c_str(), target_.c_str()) == 0) return ok();
  // Both change places, and what was there goes away with the temporary directory.
  if ((errno == ENOTEMPTY || errno == EEXIST) &&
      ::renameat2(AT_FDCWD, staging_.path().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) ==
          0)
    return ok();
  // A file system that cannot exchange them.
  if (errno == EINVAL || errno == ENOSYS) {
    PGO_TRY(TemporaryDirectory old, TemporaryDirectory::make_beside(target_));
    if (::rename(target_.c_str(), old.path().c_str()) == 0) {
      if (::rename(staging_.path().c_str(), target_.c_str()) == 0) return ok();
      const std::string why = name_of_last_error();
      ::rename(old.path().c_str(), target_.c_str());
      return cannot_write(target_, why);
    }
  }
  return cannot_write(target_, name_of_last_error());
}

std::string member_path(const std::string& source, const std::string& object) {
  constexpr size_t kDigits = 16, kLongestPart = 100, kMostParts = 16;
  std::vector<std::string> parts;
  std::string_view rest = object;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (!part.empty()) parts.push_back(plain_name(part, kLongestPart));
  }
  std::string name;
  // A path template is about the end of a path.
  for (size_t i = parts.size() - std::min(parts.size(), kMostParts); i < parts.size(); i++)
    name += "/" + parts[i];
  // Objects of one directory are together in one, where their names are their own. (Not those of
  // one source: "a" and "a/b" may both be objects.)
  const bool has_own_name = !object.empty() && name == "/" + object;
  const std::string key =
      has_own_name ? "directory\n" + source + "\n" + object.substr(0, object.rfind('/') + 1)
                   : source + "\n" + object;
  return "profiles/" + Sha256::hex_of(as_bytes(key)).substr(0, kDigits) + name;
}

}  // namespace pgo
