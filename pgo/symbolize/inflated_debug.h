// A binary whose debug sections are compressed (SHF_COMPRESSED) becomes a small ELF file of its
// debug sections alone, none of them compressed, which many readers can then share. LLVM's
// DWARFContext would inflate all sections again for each thread that has one.
//
// Section headers keep their numbers and names; those of other sections lose their contents
// (SHT_NOBITS), and there are no segments. Split DWARF (.dwo files) is not covered.
#pragma once

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>

#include "pgo/base/result.h"
#include "pgo/symbolize/debug_damage.h"

namespace pgo {

// Null when nothing of `object` is compressed, or when it is not a linked 64-bit little-endian ELF
// file. A section that cannot be inflated is left empty, as LLVM leaves it out, and `damage` told.
// On up to `jobs` threads (0: all cores). Error: kUnsupported, when memory does not suffice.
Result<std::unique_ptr<llvm::MemoryBuffer>> inflate_debug(const llvm::object::ObjectFile& object,
                                                          unsigned jobs, DebugDamage& damage);

}  // namespace pgo
