// host_name(): what this machine calls itself, as gethostname(2) tells it.
#pragma once

#include <string>

namespace pgo {

// Empty when it is not known.
std::string host_name();

}  // namespace pgo
