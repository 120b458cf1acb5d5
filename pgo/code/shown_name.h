// Names of functions as tables and messages have them: readable, and no wider than a line. JSON and
// profiles have the raw ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pgo {

inline constexpr size_t kShownNameWidth = 80;  // columns

// Demangled, without the number that makes the name of a static function unique (.__uniq.123), with
// '?' for bytes that are no UTF-8, and at most `width` columns: of what is wider, brackets lose
// what is in them, the innermost first, "std::vector<…>::push_back(…)", and then the name its
// middle.
std::string shown_name(std::string_view linkage_name, size_t width = kShownNameWidth);

}  // namespace pgo
