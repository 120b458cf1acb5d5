// Texts of flame graphs. Names come from files of others and may be any bytes: what cannot be seen,
// or would turn the direction of a line, is written as an escape, "\x1b" or "\u{202e}", so that no
// name can end a script, command a terminal or make an SVG file unreadable. Two names may still
// look alike: backslashes stay, letters of different alphabets do, and long names lose their
// middle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "converters/flame_graph/flame_tree.h"

namespace pgo {

// Valid UTF-8 without control characters, at most kLongestName bytes: what is longer loses its
// middle, and what is beyond 64 times that. O(length).
inline constexpr size_t kLongestName = 1000;
std::string printable_name(std::string_view name);

// A JSON string with its quotes, also fit for a <script> element. `text` is valid UTF-8.
std::string json_text(std::string_view text);

// "12.3 s", "4.0 MB", "1 234 count"; "41.2 %" of a tree in shares.
std::string format_flame_value(const FlameTree& tree, int64_t value);
// 0.4123 as "41.2 %", 0.00123 as "0.123 %": three digits that count.
std::string format_flame_share(double share);

// "q = 0.020" or "q < 0.001"; "" when it is not known, or not a number.
std::string format_flame_q(const FlameCertainty& certainty);

// A sentence for each kind of thing that the tree does not show; nothing is left out silently.
std::vector<std::string> omission_notes(const FlameTree& tree);

// How a difference is drawn: after less before, as a part of what is 100 %, in steps of 0.05, 0.25
// and 1 points. Up to 3 where it grew, down to -3 where it shrank; 0 when it is smaller, or marked
// as noise or too thin.
int change_step(const FlameTree& tree, size_t node);

}  // namespace pgo
