// RecordedBuild: the build that a BOLT profile is of, as it was before BOLT, as a file of the
// version. With it, llvm-bolt matches the profile's blocks with those of changed sources. Debug
// information is left out: the matching does not read it.
#pragma once

#include <string>

#include "pgo/base/result.h"

namespace pgo {

struct RecordedBuild {
  std::string path;
  uint64_t size = 0;
  std::string obstacle;  // why llvm-bolt could match nothing with it; then there is no file
};

// Writes the file `path` from the archived file `build`. Errors: those of ElfImage; kIo.
Result<RecordedBuild> write_recorded_build(const std::string& build, const std::string& path);

}  // namespace pgo
