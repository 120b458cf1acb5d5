// Times as headers have them. (Those in documents are RFC 3339: pgo/base/time_text.h.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pgo::s3 {

// "20130524T000000Z", of seconds since 1970, from the year 1970 to 9999; what is outside becomes
// the nearest of these.
std::string basic_time(int64_t seconds);

// Seconds since 1970 of "Thu, 26 Nov 2026 13:49:18 GMT", as the header Date has it.
std::optional<int64_t> parse_http_date(std::string_view text);

}  // namespace pgo::s3
