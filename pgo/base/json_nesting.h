// How deep JSON is nested. Its reader and its writer recurse, so a file of nothing but brackets
// would end the stack: ask before it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace pgo {

// Are there ever more than `depth` brackets open? Also of what is no JSON. O(length).
bool is_json_nested_deeper(std::string_view text, size_t depth);

}  // namespace pgo
