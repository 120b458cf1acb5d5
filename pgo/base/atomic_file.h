// AtomicFile: a file that appears whole or not at all. write() leaves a complete temporary file
// beside the target, on disk; commit() moves it into place. Without commit() nothing changes, so
// several outputs can all be made ready before the first is replaced.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

struct OverwriteOptions {
  mode_t permissions = 0666;          // less what the umask takes away
  std::optional<int64_t> time = {};   // of its last change, in nanoseconds since 1970; nothing: now
  std::string temporary_prefix = {};  // of its temporary name; empty: beside the target
};

class AtomicFile {
 public:
  // A new file gets what the umask leaves of 0666. One that is replaced passes on its owner, group
  // and permissions (see take_over_owner()). A symbolic link stays and what it leads to is
  // replaced, or made when it leads to nothing yet. A device, a pipe and "-" (standard output)
  // cannot be replaced: they are written to by commit().
  static Result<AtomicFile> write(const std::string& path, std::string_view contents);
  // The same for a program that is made from another, `original`: a new file gets what the umask
  // leaves of that one's permissions, and its set-ID bits only where the owner or group is the
  // same; one that is replaced becomes executable for whoever may read it.
  static Result<AtomicFile> write_program(const std::string& path, std::string_view contents,
                                          const struct stat& original);
  // Whatever has the name `path` is replaced, also a link, a pipe or another user's file: nothing
  // of it is passed on, and what a link leads to stays.
  static Result<AtomicFile> overwrite(const std::string& path, std::string_view contents,
                                      const OverwriteOptions& options);
  Result<void> commit();
  // What a file that is replaced could not pass on, as a sentence that names it; empty: nothing.
  const std::string& warning() const { return warning_; }
  // Where the contents are until commit(), to be looked at; empty for what cannot be replaced.
  const std::string& temporary() const { return temporary_; }

  // Could write() and commit() succeed? For asking before long work; neither creates nor changes
  // anything, so that a full disk is not noticed.
  static Result<void> check_writable(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept { *this = std::move(other); }
  AtomicFile& operator=(AtomicFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    std::swap(contents_, other.contents_);
    std::swap(warning_, other.warning_);
    return *this;
  }
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  // removes the temporary file that was not committed

 private:
  AtomicFile() = default;

  static Result<AtomicFile> write_new(const std::string& path, std::string_view contents,
                                      const struct stat* original);

  std::string path_;       // as the user named it, for messages
  std::string target_;     // what is replaced
  std::string temporary_;  // empty: none, `contents_` is written to `path_` as it is
  std::string contents_;
  std::string warning_;
};

// The file that writing to `path` is about: links followed, also one that leads to nothing yet.
// Error: kIo when they go round in a circle.
Result<std::string> resolve_links(const std::string& path);

// Gives `file` the owner, the group and the permissions of `replaced`. Where that is not allowed,
// which takes root when they are another user's, it takes away instead: the set-ID bits of an owner
// or group that the file does not have, and what only that group was permitted. Returns a sentence
// that says so, about `path`; empty when all was passed on. Error: kIo.
Result<std::string> take_over_owner(const struct stat& replaced, const std::string& file,
                                    const std::string& path);

// Moves the file `complete` into the place of `target`, as it comes from resolve_links(), and in
// the same file system, after take_over_owner() when it replaces one. Returns what that returns.
// Error: kIo.
Result<std::string> replace_file(const std::string& complete, const std::string& target);

// Both steps for one file. Its warning() is dropped.
Result<void> write_file_atomically(const std::string& path, std::string_view contents);

}  // namespace pgo
