// Objects of stores that merge profiles themselves: one for each hour and each set of labels that
// stays apart, so that hours and hosts can be chosen, weighted and compared as files of hosts are.
//
//   PGO_TRY(std::vector<TimeWindow> hours, hours_of(window, name));
//   SourceObject object = merged_object(hours[0], apart, labels);
//   object.name                    "2026-11-26T13:00:00Z/host=web-1,version=1.42.pb.gz"
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/source/source.h"

namespace pgo::store_access {

// Each hour of UTC, as far as the window has a part of it. Errors: kUsage without a window, and for
// more than 31 days; `name` is that of the source.
Result<std::vector<TimeWindow>> hours_of(const std::optional<TimeWindow>& window,
                                         const std::string& name);

// The same window in pieces of a day, from its begin on: what one request may be about.
std::vector<TimeWindow> days_of(const TimeWindow& window);

// `apart` says which labels the profiles have (an empty text: not this one), `labels` what they are
// labelled with. The time is what the store tells.
SourceObject merged_object(const TimeWindow& window, const Labels& apart, Labels labels);

// A server that has more is refused: its answers could go on for ever.
inline constexpr size_t kMaxMergedObjects = 1'000'000;

// Error: kInput for more objects than that.
Result<void> check_object_count(size_t objects, const std::string& name);

// Sorts, and leaves one of those that have the same name.
void sort_objects(std::vector<SourceObject>& objects);

}  // namespace pgo::store_access
