// A binary with compressed sections (SHF_COMPRESSED) becomes a small ELF file of its debug sections
// alone, none of them compressed, which many readers can then share. LLVM's DWARFContext would
// inflate all sections again for each thread that has one, whatever their names are, and to any
// size that they claim: 20 KB can take gigabytes.
//
// Section headers keep their numbers and names; those of other sections lose their contents
// (SHT_NOBITS), and there are no segments. Object files keep all sections, for their relocations.
#pragma once

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>

#include "pgo/base/result.h"
#include "pgo/dwarf/debug_damage.h"

namespace pgo {

// Null when nothing of `object` is compressed, so that LLVM may read it as it is. A section that
// cannot be inflated, or that claims too much (a thousand times its size), is left empty, and
// `damage` told. On up to `jobs` threads (0: all cores). Error: kUnsupported, when memory does not
// suffice, and for what is no 64-bit little-endian ELF file.
Result<std::unique_ptr<llvm::MemoryBuffer>> inflate_debug(const llvm::object::ObjectFile& object,
                                                          unsigned jobs, DebugDamage& damage);

}  // namespace pgo
