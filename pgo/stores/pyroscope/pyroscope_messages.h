// What pgo and Pyroscope say to each other, as bytes of protocol buffers (pyroscope.proto). Only
// pyroscope_messages.cc knows libprotobuf.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/source/source.h"

namespace pgo::pyroscope {

// Windows end before their end: the last millisecond that is asked for is the one before.
std::string profile_types_request(const TimeWindow& window);
std::string label_names_request(const std::string& matchers, const TimeWindow& window);
std::string series_request(const std::string& matchers, const std::vector<std::string>& names,
                           const TimeWindow& window);
// Answered by a pprof message itself.
std::string merge_profile_request(const std::string& type, const std::string& matchers,
                                  const TimeWindow& window);
// Answered by a message with one.
std::string merge_stacktraces_request(const std::string& type, const std::string& matchers,
                                      const TimeWindow& window);
std::string push_request(const Labels& labels, std::string_view pprof);

using Names = std::set<std::string, std::less<>>;

inline constexpr size_t kMaxNames = 100'000;

// `shown` is for messages. Errors: kInput for what is no such answer, or has more than kMaxNames
// names or sets of labels.
Result<Names> parse_profile_types(std::string_view answer, const std::string& shown);
Result<Names> parse_label_names(std::string_view answer, const std::string& shown);
Result<std::set<Labels>> parse_series(std::string_view answer, const std::string& shown);
// The pprof message; nothing when the server answered in another format.
Result<std::optional<std::string>> parse_merged_stacktraces(std::string_view answer,
                                                            const std::string& shown);

}  // namespace pgo::pyroscope
