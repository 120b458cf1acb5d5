// What pgo and Parca say to each other, as bytes of protocol buffers (parca.proto). Only
// parca_messages.cc knows libprotobuf.
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

namespace pgo::parca {

using Names = std::set<std::string, std::less<>>;

// Parca knows times to the millisecond.

std::string profile_types_request(const TimeWindow& window);
std::string label_names_request(const std::string& type, const TimeWindow& window);
// `query`: a profile type and matchers, "process_cpu:...{host=\"web-1\"}". `step` in nanoseconds.
std::string query_range_request(const std::string& query, const TimeWindow& window, int64_t step);
// `group_by`: names of labels that samples then have.
std::string merge_request(const std::string& query, const TimeWindow& window,
                          const Names& group_by);
std::string write_raw_request(const Labels& labels, std::string_view pprof);

struct SeriesPoint {
  int64_t time = 0;  // nanoseconds since 1970; in the step
  int64_t value = 0;

  bool operator==(const SeriesPoint&) const = default;
};

struct ProfileSeries {
  Labels labels;
  std::vector<SeriesPoint> points;

  bool operator==(const ProfileSeries&) const = default;
};

inline constexpr size_t kMaxNames = 100'000, kMaxPoints = 2'000'000;

// `shown` is for messages. Errors: kInput for what is no such answer, or is larger than these.
// Profile types are like "process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta".
Result<Names> parse_profile_types(std::string_view answer, const std::string& shown);
Result<Names> parse_label_names(std::string_view answer, const std::string& shown);
Result<std::vector<ProfileSeries>> parse_query_range(std::string_view answer,
                                                     const std::string& shown);
// The pprof message, compressed; nothing when the server answered in another format.
Result<std::optional<std::string>> parse_query(std::string_view answer, const std::string& shown);

}  // namespace pgo::parca
