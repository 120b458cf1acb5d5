// AtomicFile: a file that appears whole or not at all. write() leaves a complete temporary file
// beside the target, on disk; commit() moves it into place. Without commit() nothing changes, so
// several outputs can all be made ready before the first is replaced.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

class AtomicFile {
 public:
  // A file that is replaced passes on its permission bits; a symbolic link stays and what it leads
  // to is replaced, or made when it leads to nothing yet. A device, a pipe and "-" (standard
  // output) cannot be replaced: they are written to by commit(). `permissions`: the bits that the
  // file gets, whatever those of the one it replaces are.
  static Result<AtomicFile> write(const std::string& path, std::string_view contents,
                                  std::optional<mode_t> permissions = std::nullopt);
  Result<void> commit();
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
    std::swap(permissions_, other.permissions_);
    return *this;
  }
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  // removes the temporary file that was not committed

 private:
  AtomicFile() = default;

  std::string path_;       // as the user named it, for messages
  std::string target_;     // what is replaced
  std::string temporary_;  // empty: none, `contents_` is written to `path_` as it is
  std::string contents_;
  std::optional<mode_t> permissions_;
};

// The file that writing to `path` is about: links followed, also one that leads to nothing yet.
// Error: kIo when they go round in a circle.
Result<std::string> resolve_links(const std::string& path);

// Moves the file `complete` into the place of `target`, as it comes from resolve_links(), and in
// the same file system. It gets the permission bits of the file it replaces. Error: kIo.
Result<void> replace_file(const std::string& complete, const std::string& target);

// Both steps for one file.
Result<void> write_file_atomically(const std::string& path, std::string_view contents);

}  // namespace pgo
