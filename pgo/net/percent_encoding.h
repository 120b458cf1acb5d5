// Percent-encoding (RFC 3986): how a URL or a form writes characters that mean something in it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pgo::net {

// All bytes but letters, digits and "-._~" as %XX, in upper case.
std::string percent_encode(std::string_view text);
// The same, but '/' stays.
std::string percent_encode_path(std::string_view path);
// "a=1&b=x%2Fy", sorted by name. A parameter without a value ends in '='.
std::string encode_query(std::vector<std::pair<std::string, std::string>> parameters);

// "%41" as "A"; a '%' before anything else stays.
std::string percent_decode(std::string_view text);

}  // namespace pgo::net
