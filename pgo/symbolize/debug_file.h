// Finds the file with the debug information of a stripped binary, the way debuggers do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

// True when the file has DWARF of its own (.debug_info, compressed or not).
bool has_debug_info(const ElfImage& image);

// Looks, in this order, among `candidates` (files named by the user: one with the same build id, or
// without any), in `roots`/.build-id/ab/cdef….debug, and for the name in .gnu_debuglink beside the
// binary, in its .debug folder and below `roots`. A file with another build id is no match; nothing
// when there is none. Error: a candidate that cannot be read.
Result<std::optional<std::string>> find_debug_file(const ElfImage& image,
                                                   const std::vector<std::string>& candidates,
                                                   const std::vector<std::string>& roots);

}  // namespace pgo
