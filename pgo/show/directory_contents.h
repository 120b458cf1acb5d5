// What is in a directory: the files that conversions would look at, which of them they read, and
// what is damaged; of a bundle, its members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converters/format.h"
#include "pgo/base/result.h"
#include "pgo/source/bundle.h"

namespace pgo {

struct DirectoryContents {
  struct File {
    std::string path;
    bool is_opened = false;        // false: the system refused
    uint64_t size = 0;             // bytes as stored
    std::optional<Format> format;  // nothing: not known
    std::optional<Error> error;    // why a conversion would skip it
    bool is_truncated = false;     // a conversion would use what is there
  };

  std::optional<Bundle> bundle;  // then files are its members, in their order
  std::vector<File> files;       // sorted by path
  uint64_t readable = 0;         // files that a conversion reads
};

// Files are read as far as it takes to know whether they are damaged. Errors: kEmpty for a
// directory without files; kIo for one that cannot be listed.
Result<DirectoryContents> read_directory_contents(const std::string& path);

}  // namespace pgo
