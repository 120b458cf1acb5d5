// Base64 with the letters of RFC 4648, section 4, and padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pgo {

std::string to_base64(std::string_view bytes);

// Nothing for other characters, for padding elsewhere than at the end, and for a wrong length.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace pgo
