// From counted stacks to the columns of a StackProfile: places become locations of mappings, names
// of threads labels, events sample types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "converters/perf_data/recording.h"
#include "converters/perf_data/stacks/code_places.h"
#include "converters/perf_data/stacks/stack_table.h"
#include "pgo/profile/stack_profile.h"

namespace pgo::perf_data {

// First and last of some times.
struct TimeSpan {
  uint64_t first = std::numeric_limits<uint64_t>::max(), last = 0;

  bool empty() const { return first > last; }
  void add(const TimeSpan& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

// What has been counted of the chosen events of a recording.
struct CountedStacks {
  const Recording& recording;
  const std::vector<bool>& chosen_events;
  const CodePlaces& places;
  const StackTable& table;
  std::vector<std::string_view> labels;  // the name of a thread, by the table's labels
  TimeSpan times;                        // of the samples
};

// Normalized. O(n log n) for n addresses of stacks.
StackProfile build_profile(const CountedStacks& counted);

}  // namespace pgo::perf_data
