// Functions that are one piece of code under several names: the linker folded those with the same
// instructions (ICF), or the source gave one function several names.
#pragma once

#include "pgo/binary/binary_set.h"
#include "pgo/diff/row_key.h"

namespace pgo {

// Of each such linkage name, without what compilers append to copies, the one that stands for all
// of them: the first in order. Names that are one in any of the binaries are one. O(symbols).
FoldedNames folded_names(const BinarySet& binaries);

}  // namespace pgo
