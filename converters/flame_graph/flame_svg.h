// A flame graph as a picture: an SVG file that any viewer shows, without scripts, fonts or network.
// Each frame has its exact figures as a title, which browsers show under the pointer. Of a
// comparison, red with a bar above grew, blue with a bar below shrank; labels say ▲ or ▼.
#pragma once

#include <string>

#include "converters/flame_graph/flame_page.h"
#include "converters/flame_graph/flame_tree.h"
#include "pgo/base/result.h"

namespace pgo {

// Root on top. Frames narrower than half a unit of 1200 are left out; a line at the end says how
// many and what they are of the whole. Error: kEmpty when the tree has no value. O(nodes).
Result<std::string> flame_svg(const FlameTree& tree, const FlamePage& page);

}  // namespace pgo
