// TemporaryDirectory: a directory for what other programs read and write, in TMPDIR or /tmp or
// beside a file. It goes away, with everything in it, when the object does.
//
//   PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
//   PGO_TRY(ProcessResult finished, run_subprocess({tool, "-o", directory.file("output")}));
#pragma once

#include <string>

#include "pgo/base/result.h"

namespace pgo {

class TemporaryDirectory {
 public:
  // Error: kIo when it cannot be made.
  static Result<TemporaryDirectory> make();
  // In the directory and so in the file system of `target`, named after it: for what is going to
  // replace it. Error: kIo when it cannot be made.
  static Result<TemporaryDirectory> make_beside(const std::string& target);

  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  const std::string& path() const { return path_; }
  // The path of a file in it.
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;  // empty when moved from
};

}  // namespace pgo
