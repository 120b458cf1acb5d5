// Compressing by gzip: one member whose header names no file, no time and no system, so that equal
// bytes stay equal. (Another version of libdeflate may compress them differently.)
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

// Error (kInternal): no memory.
Result<std::string> gzip(std::string_view bytes);

}  // namespace pgo
