// NamelessCode: what to do about code of a binary that has no names of functions.
#pragma once

#include <string>

#include "pgo/binary/binary_set.h"

namespace pgo {

// "name its file with --binary ...", or the debug file of a stripped binary that was named.
// `binary` is a file name, as rows have it; `binaries` may be null: none were named. Options are
// marked, as in errors.
std::string advise_on_nameless_code(const std::string& binary, const BinarySet* binaries);

}  // namespace pgo
