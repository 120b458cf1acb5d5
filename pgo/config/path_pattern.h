// PathPattern: a pattern of GitHub's CODEOWNERS, for the paths of source files.
//
//   "*.cc"            files of any directory; without a slash, a pattern matches at any depth
//   "/docs/"          everything below the directory, at any depth
//   "docs/*"          files of docs, but not of directories in it
//   "src/**/test"     "**": any number of directories, or none
//   "/src/storage"    the file, or everything below the directory
//
// "*" and "?" do not match a slash. As in CODEOWNERS there is no "!" and no "[ ]".
//
// CODEOWNERS anchors patterns with a slash before their end at the root of the repository. But the
// paths that compilers write into debug information begin at the root of the build machine
// ("/build/job-7/src/storage/a.cc") or in the build directory ("../src/storage/a.cc"), and do not
// tell where the repository begins. So a pattern matches from the beginning of any component on:
// "/src/" also matches "third_party/x/src/". A later pattern can make the exception.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

class PathPattern {
 public:
  // Error: kInput for what is no pattern; the message says why, as in "has '[', ...".
  static Result<PathPattern> parse(std::string_view text);

  // `components` are those of split_path(). O(parts * length).
  bool matches(std::span<const std::string_view> components) const;

 private:
  // What of a path follows the part that matched.
  enum class Rest { kNone, kAny, kSome };

  PathPattern() = default;

  std::vector<std::string> parts_;  // between slashes; "**" never twice in a row, nor at the end
  Rest rest_ = Rest::kAny;
};

// The components of a path without "." and "..", which leaves out the component before it. Only the
// last 63 are kept. They refer to `path`. O(length).
std::vector<std::string_view> split_path(std::string_view path);

}  // namespace pgo
