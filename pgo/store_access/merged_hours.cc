#include "pgo/store_access/merged_hours.h"

#include <algorithm>
#include <string_view>

#include "pgo/base/time_text.h"
#include "pgo/net/percent_encoding.h"

namespace pgo::store_access {
namespace {

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000, kDay = 24 * kHour;
constexpr int64_t kMaxHours = int64_t{31} * 24;

}  // namespace

Result<std::vector<TimeWindow>> hours_of(const std::optional<TimeWindow>& window,
                                         const std::string& name) {
  if (!window)
    return fail(ErrorKind::kUsage,
                name + ": the window is missing; this store merges the profiles of a window",
                "choose it with 'pgo fetch', and name its bundle");
  if (window->end <= window->begin) return std::vector<TimeWindow>();
  const int64_t first = window->begin / kHour, last = (window->end - 1) / kHour;
  if (last - first > kMaxHours)
    return fail(ErrorKind::kUsage, name + ": the window is longer than 31 days",
                "choose a shorter one");
  std::vector<TimeWindow> hours;
  for (int64_t hour = first; hour <= last; hour++)
    hours.push_back(
        {std::max(window->begin, hour * kHour), std::min(window->end, (hour + 1) * kHour)});
  return hours;
}

std::vector<TimeWindow> days_of(const TimeWindow& window) {
  std::vector<TimeWindow> days;
  for (int64_t begin = window.begin; begin < window.end; begin += kDay)
    days.push_back({begin, std::min(begin + kDay, window.end)});
  return days;
}

SourceObject merged_object(const TimeWindow& window, const Labels& apart, Labels labels) {
  SourceObject object;
  object.name = format_time(window.begin) + "/";
  bool is_first = true;
  for (const auto& [name, text] : apart) {
    if (text.empty()) continue;
    object.name +=
        (is_first ? "" : ",") + net::percent_encode(name) + "=" + net::percent_encode(text);
    is_first = false;
  }
  object.name += is_first ? "all.pb.gz" : ".pb.gz";
  object.labels = std::move(labels);
  object.time = window.begin;
  object.time_evidence = TimeEvidence::kStore;
  return object;
}

Result<void> check_object_count(size_t objects, const std::string& name) {
  if (objects <= kMaxMergedObjects) return ok();
  return fail(ErrorKind::kInput,
              name + ": the window has more than " + std::to_string(kMaxMergedObjects) +
                  " profiles of hosts and hours",
              "choose less with the parameter 'selector', or a shorter window");
}

void sort_objects(std::vector<SourceObject>& objects) {
  std::sort(objects.begin(), objects.end(),
            [](const SourceObject& a, const SourceObject& b) { return a.name < b.name; });
  const auto same = [](const SourceObject& a, const SourceObject& b) { return a.name == b.name; };
  objects.erase(std::unique(objects.begin(), objects.end(), same), objects.end());
}

}  // namespace pgo::store_access
