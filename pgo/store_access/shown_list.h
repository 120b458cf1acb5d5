// A list of names as messages show it: "a, b, c", of many only the first.
#pragma once

#include <set>
#include <string>

namespace pgo::store_access {

// "none" for an empty one. The names may come from a server: what is no printable character of
// ASCII is shown as '?'.
std::string shown_list(const std::set<std::string, std::less<>>& names);

}  // namespace pgo::store_access
