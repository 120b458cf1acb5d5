// Starts the system's loader on a binary as far as it goes without running the program: the loader
// maps the file and its libraries and resolves all symbols, and then lists what it has loaded.
//
//   PGO_TRY(LoaderStart before, start_loader("./server", "", timeout));
//   PGO_TRY(LoaderStart after, start_loader(candidate, before.library_path(), timeout));
//   if (before.loads && !after.loads) ... after.words
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

struct LoaderStart {
  // False: a static program, or its loader is none of this system's (/lib*/ld-*.so*, and so in the
  // directories below). What else a file may name as its loader is not run.
  bool possible = true;
  bool loads = false;                   // with all its libraries
  std::string words;                    // what the loader said, when it does not load
  std::vector<std::string> libraries;   // the paths of those it found, sorted
  std::vector<std::string> unresolved;  // symbols, sorted; a plugin has some

  // The directories of the libraries, joined by colons: where a copy of the binary that lies
  // elsewhere finds the same ones.
  std::string library_path() const;
};

// `library_path` comes before where the loader looks otherwise; may be empty. The loader has
// `timeout` time, and no more than a minute. Error: kIo when the loader cannot be run.
Result<LoaderStart> start_loader(const ElfImage& image, const std::string& library_path,
                                 std::chrono::seconds timeout);

}  // namespace pgo
