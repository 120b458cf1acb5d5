// Where the libraries are that QEMU or the dynamic loader loads for a recording.
#pragma once

#include <string>

#include "pgo/base/result.h"

namespace pgo {

// `given`, or if that is empty ../lib/prodpgo/NAME or lib/prodpgo/NAME, seen from this executable.
// Returns its absolute path. Error: kUnsupported, which calls it `what` ("QEMU's plugin").
Result<std::string> find_installed_library(const std::string& name, const std::string& given,
                                           const std::string& what);

}  // namespace pgo
