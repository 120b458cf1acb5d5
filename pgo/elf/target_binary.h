// TargetBinary: what readers of recordings need to know of a binary whose counts are wanted.
#pragma once

#include "pgo/elf/elf_image.h"
#include "pgo/profile/code_map.h"

namespace pgo {

// Nothing is owned.
struct TargetBinary {
  const ElfImage* image = nullptr;
  const CodeMap* code = nullptr;  // which of its addresses are code
  // The file with its symbol table, which a stripped binary's debug file may have; null: `image`.
  const ElfImage* symbols = nullptr;

  const ElfImage& symbol_image() const { return symbols ? *symbols : *image; }
};

}  // namespace pgo
