// Functions that are one piece of code under several names: the linker folded those with the same
// instructions (ICF), or the source gave one function several names.
#pragma once

#include <vector>

#include "pgo/diff/row_key.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

// Of each such linkage name, without what compilers append to copies, the one that stands for all
// of them: the first in order. Names that are one in any of the binaries are one. O(symbols).
// `images` have the symbol tables.
FoldedNames folded_names(const std::vector<const ElfImage*>& images);

}  // namespace pgo
