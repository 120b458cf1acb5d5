// The colours of frames when one profile is shown. The hue says whose code it is: the binary, or
// the namespace (package) when there is only one binary. The shade tells neighbours apart. Both
// follow from the names, so that a function mostly has its colour in each graph; of two binaries
// with one hue, the second takes a free one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "converters/flame_graph/flame_tree.h"

namespace pgo {

struct FrameColor {
  uint8_t hue = 0;    // below kFrameHues; page.css has them as --h0 …
  uint8_t shade = 0;  // below kFrameShades

  bool operator==(const FrameColor&) const = default;
};
inline constexpr uint8_t kFrameHues = 12, kFrameShades = 3;

// Of each frame of a tree. "all" and "(other)" are grey, whatever their colour.
std::vector<FrameColor> frame_colors(const FlameTree& tree);

// "#rrggbb", light enough for black text.
std::string color_code(FrameColor color);

}  // namespace pgo
