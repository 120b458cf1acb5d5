// Inflating xz, which .gnu_debugdata sections of ELF files are compressed by.
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/inflate.h"

namespace pgo {

// Errors: kInput for what is damaged, cut short or more than `limit` bytes; kUnsupported for what
// needs more than 128 MB to inflate (xz -9 needs 65 MB). `name` is for messages. Memory: twice what
// comes out, and what the file asks for.
Result<InflatedBytes> inflate_xz(Bytes bytes, const std::string& name, uint64_t limit);

}  // namespace pgo
