// Release: the files of one build that was released: the executable (or shared library), its debug
// file, and what llvm-bolt made the executable from.
//
//   PGO_TRY(Release release, open_release({.executable = "./server"}, diagnostics));
//   release.build_id()         names it in an archive
//
// They are checked here, where a mistake can still be put right: when somebody looks for the files
// in the archive, the build is long gone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

enum class ReleaseRole : uint8_t { kExecutable, kDebug, kPrebolt };

// "executable", "debug", "prebolt".
std::string_view role_name(ReleaseRole role);

struct ReleaseFile {
  ReleaseRole role = ReleaseRole::kExecutable;
  ElfImage image;
  std::string digest;  // "sha256:<hex>"
};

struct Release {
  std::vector<ReleaseFile> files;  // in the order of roles, the executable first

  const BuildId& build_id() const { return files[0].image.build_id(); }
};

struct ReleasePaths {
  std::string executable;
  std::string prebolt = {}, debug = {};  // empty: there is none
};

// A `prebolt` of the same build ID, as there is when llvm-bolt failed, is left out with a warning.
// Errors: those of open_elf(); kInput for a file without a build ID, and for a debug file without
// debug information; kMismatch for files of other builds; kUsage for files that were swapped.
Result<Release> open_release(const ReleasePaths& paths, Diagnostics& diagnostics);

}  // namespace pgo
