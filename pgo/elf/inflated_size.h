// To what size the compressed sections (SHF_COMPRESSED) of a file may claim to inflate. LLVM's
// tools inflate any of them to whatever size its header claims: 20 KB can take gigabytes.
#pragma once

#include <cstdint>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

// Of a section of `stored` bytes: a megabyte, and beyond that as many times its size as zlib can
// reach (1032) and debug information never does.
uint64_t max_inflated_section(uint64_t stored);

// Of all sections of a file of `stored` bytes together, which is less: several can be of the same
// bytes of the file.
uint64_t max_inflated_file(uint64_t stored);

// For programs of LLVM, which have no such limits. Error: kUnsupported, with the first section that
// exceeds one. O(sections).
Result<void> check_inflated_size(const ElfImage& image);

}  // namespace pgo
