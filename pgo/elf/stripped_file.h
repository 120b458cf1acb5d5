// A copy of a program or library without its debug information, as `strip --strip-debug` makes it:
// the same code, symbols, relocations, notes and build ID, in a fraction of the bytes.
//
// Sections keep their indices, so symbols and links need no change: the headers of the ones that
// are left out become null sections. What is loaded, and all before its end, stays where it is; the
// other sections follow it, and then the section headers.
#pragma once

#include <optional>
#include <string>

#include "pgo/elf/elf_image.h"

namespace pgo {

// Nothing when there is no debug information to leave out, or the headers of the file are unusual:
// too many sections for their field, sections that overlap, alignments of over a page.
std::optional<std::string> strip_debug_sections(const ElfImage& image);

}  // namespace pgo
