// A list of names as messages show it: "a, b, c", of many only the first.
#pragma once

#include <set>
#include <string>

namespace pgo::store_access {

// "none" for an empty one.
std::string shown_list(const std::set<std::string, std::less<>>& names);

}  // namespace pgo::store_access
