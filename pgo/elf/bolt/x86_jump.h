// What a CodeMap does not say of x86-64 instructions: where a direct jump goes, and which are nops.
// Two questions about bytes that a decoder has already cut into instructions; not a decoder.
#pragma once

#include <optional>

#include "pgo/base/bytes.h"
#include "pgo/profile/address.h"

namespace pgo {

// Where the direct jump at `addr`, conditional or not, goes when taken. Nothing for anything else.
std::optional<ElfAddr> x86_jump_target(Bytes instruction, ElfAddr addr);

// A jump to a place that is computed or loaded?
bool is_x86_indirect_jump(Bytes instruction);

// One of the nops that assemblers and compilers pad with?
bool is_x86_nop(Bytes instruction);

}  // namespace pgo
