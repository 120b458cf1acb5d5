// How discriminators are read: as LLVM's encoding of base discriminator and duplication factor, or
// whole: flow-sensitive ones, and GCC's, which are plain numbers.
#pragma once

#include "pgo/elf/elf_image.h"

namespace pgo {

enum class Discriminators { kEncoded, kWhole };

// Was this binary built with flow-sensitive ones? Its symbols tell.
bool has_flow_sensitive_discriminators(const ElfImage& symbols);

}  // namespace pgo
