// Text as the contents or a quoted attribute of an element of XML, HTML or SVG.
#pragma once

#include <string>
#include <string_view>

namespace pgo {

// `text` is valid UTF-8 without control characters. O(length).
std::string markup_text(std::string_view text);

}  // namespace pgo
