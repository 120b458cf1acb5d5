// What a file is that `pgo convert` and `pgo bolt` cannot take, and what to do instead.
#pragma once

#include "pgo/source/input_bytes.h"

namespace pgo {

// Can samples or branch records be converted from files of this format? Folded stacks have neither
// addresses nor lines.
bool is_convertible(const InputBytes& input);

// "PATH: is an ELF file", and what is needed instead. kUnsupported.
Error describe_inconvertible(const InputBytes& input);

}  // namespace pgo
