// The input of subroutine_walk_fuzz: what a linked file has of these sections, each as u16 length
// and bytes, in this order. Short of an ELF file, whose headers are other readers' business, so
// that every byte that is changed is one of debug information.
#pragma once

#include <string>

namespace pgo::test {

constexpr const char* kDebugSections[] = {
    ".debug_abbrev", ".debug_info",     ".debug_str",    ".debug_str_offsets", ".debug_line_str",
    ".debug_addr",   ".debug_rnglists", ".debug_ranges", ".debug_aranges",     ".debug_line"};

}  // namespace pgo::test
