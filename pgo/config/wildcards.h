// Wildcards: "*" stands for any characters, "?" for one (of UTF-8). There are no brackets, since
// names of functions contain them: "operator[]".
#pragma once

#include <string_view>

namespace pgo {

// Whether the whole `text` matches. O(pattern * text), without memory of its own.
bool matches_wildcards(std::string_view pattern, std::string_view text);

}  // namespace pgo
