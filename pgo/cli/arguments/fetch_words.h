// Words of `pgo fetch` that stand for times and sizes; parse_duration() has those for durations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/base/time_text.h"
#include "pgo/source/source.h"

namespace pgo {

// "8G", "500M", "64K", "1000", in bytes; units are powers of 1024, and "GB" and "GiB" are "G".
// Nothing for other texts.
std::optional<uint64_t> parse_byte_size(std::string_view text);

// A time by RFC 3339, also a day or an hour alone ("2026-11-26T13"), or a duration before `now`:
// "7d". Nanoseconds since 1970.
std::optional<int64_t> parse_moment(std::string_view text, int64_t now);

// The window of --from, --to and --last; empty texts were not given. Nothing when none was. Errors:
// kUsage.
Result<std::optional<TimeWindow>> parse_fetch_window(const std::string& from, const std::string& to,
                                                     const std::string& last, int64_t now);

}  // namespace pgo
