// Times as texts, by RFC 3339: "2026-11-26T13:00:00Z". Numbers are nanoseconds since 1970, in UTC;
// neither the locale nor TZ counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pgo {

// With nine decimals of a second where it is not a whole one.
std::string format_time(int64_t nanoseconds);

// "2026-11-26", "2026-11-26T13:00", "2026-11-26 13:00:00.25Z", "2026-11-26T13:00:00+01:00"; without
// a zone it is UTC. Nothing for other texts, and for times that have no number: those before 1970
// and after 2262-04-11.
std::optional<int64_t> parse_time(std::string_view text);

// How long something lasts: "90s", "10m", "6h", "7d", "2w", in nanoseconds. Nothing for other
// texts, and for more than 100 years.
std::optional<int64_t> parse_duration(std::string_view text);

}  // namespace pgo
