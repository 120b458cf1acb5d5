// Compressing by zstd: one frame with the size of its contents and a checksum of them. (Another
// version of libzstd may compress equal bytes differently.)
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

// Error (kInternal): no memory.
Result<std::string> zstd(std::string_view bytes);

}  // namespace pgo
