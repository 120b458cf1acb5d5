// What a stripped file still has of symbols. Enough for names; code without symbols between the
// functions remains unknown, so counts of such a file cannot be assigned to functions.
//
//   .dynsym          functions that other files may call
//   .gnu_debugdata   an ELF file compressed by xz whose .symtab has the other functions; Fedora and
//                    its relatives put it into all programs ("MiniDebugInfo")
#pragma once

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

// `image` with these as its symbols(); it must outlive the result. Errors: those of
// ElfImage::parse(), inflate_xz(). O(bytes).
Result<ElfImage> with_remaining_symbols(const ElfImage& image);

}  // namespace pgo
