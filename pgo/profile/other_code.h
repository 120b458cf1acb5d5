// Code that profiles have samples in, but no addresses of: an address profile has only their
// number, and comparisons show each kind as a row.
#pragma once

#include <string_view>

#include "pgo/profile/accounting.h"

namespace pgo {

// "[kernel]", "[vdso]", "[anonymous memory]", "[other binaries]" or "[unknown code]". Empty where
// the reason is not that of code: the sample was not asked for, or is in no code.
std::string_view other_code(Dropped reason);
// Is it one of these?
bool is_other_code(std::string_view name);

}  // namespace pgo
