// How much of the end of a build ID tells which layout of a binary llvm-bolt wrote
// (pgo/elf/bolt/layout_id.h); what is before it tells the binary.
#pragma once

#include <cstddef>

namespace pgo {

constexpr size_t layout_size(size_t id_size) { return id_size / 4; }

}  // namespace pgo
