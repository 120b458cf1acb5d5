// The Go that built a program, by `go version -m`: profiles take effect from Go 1.21 on. The go
// command is optional.
#pragma once

#include <optional>
#include <string>

#include "pgo/refresh/gates.h"

namespace pgo {

// "go1.22.3" of the first line of `go version -m`; empty: it says none.
std::string go_version_in(const std::string& output, const std::string& path);
// Is this one of Go 1.21 or later? "devel" is.
bool takes_profiles(const std::string& go_version);

// A gate for the program at `path`. Not checked where go is not installed, or does not know it.
GateResult check_go_version(const std::string& path);

}  // namespace pgo
