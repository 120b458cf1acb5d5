// host_name(): the name of this machine, by gethostname(2).
#pragma once

#include <string>

namespace pgo {

// Empty when it is not known.
std::string host_name();

}  // namespace pgo
