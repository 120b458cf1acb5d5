// DebugPlace: where the debug information of a binary is, in words for people, and what to do when
// it is missing.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

struct DebugPlace {
  std::string path;  // empty: not found
  bool own = false;  // in the binary itself
};

// Errors: as find_debug_file().
Result<DebugPlace> find_debug_info(const ElfImage& image, const DebugPlaces& places);
// "in the file", or where else, or why it is missing and what to do.
std::string describe_debug_info(const ElfImage& image, const DebugPlace& place);

// What to do when debug information or probes are missing: `build`, unless they were stripped off.
std::string advise_on_missing(const ElfImage& image, const std::string& build);

}  // namespace pgo
