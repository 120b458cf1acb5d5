// Labels: what is known of where and when a profile was recorded: service, host, zone, version.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace pgo {

using Labels = std::map<std::string, std::string, std::less<>>;

}  // namespace pgo
