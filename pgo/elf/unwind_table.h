// UnwindTable: which code a binary can be unwound through, from .eh_frame_hdr and .eh_frame: what a
// C++ exception, a profiler and a debugger need. Read to see whether a rewritten binary still has
// it; the instructions of the unwinder are not looked at.
//
// The layout (System V ABI, DWARF 5 6.4):
//
//   .eh_frame_hdr: u8 version (1), u8 encodings of: pointer to .eh_frame, count, table; these
//   three.
//     The table has for each FDE the start of its code and its own address, ascending.
//   .eh_frame: entries, each u32 size, then u32: 0 for a CIE, else the distance back to its CIE.
//     CIE: u8 version, augmentation string, code and data alignment (LEBs), return register, and
//     for an augmentation that begins with 'z' its size and one item for each letter: R how
//     addresses are written, P a personality routine, L how language data is referred to. FDE: the
//     start of its code, its size in bytes.
//
// Addresses are written as 4 or 8 bytes, absolute, relative to where they stand or to the section.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

class UnwindTable {
 public:
  struct Range {
    ElfAddr begin, end;  // half-open
  };

  // Does the file have a table at all? A static binary may have none.
  static bool is_in(const ElfImage& image);
  // Errors (kInput) name the section and what is wrong in it: a table that is not sorted, entries
  // that lie outside .eh_frame or do not agree with it. O(n log n).
  static Result<UnwindTable> read(const ElfImage& image);

  // Of code that can be unwound through; by ascending begin.
  const std::vector<Range>& ranges() const { return ranges_; }
  bool covers(ElfAddr addr) const;

 private:
  std::vector<Range> ranges_;
};

}  // namespace pgo
