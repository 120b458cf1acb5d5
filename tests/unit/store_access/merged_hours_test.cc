#include "pgo/store_access/merged_hours.h"

#include <gtest/gtest.h>

#include "pgo/base/time_text.h"

namespace pgo::merged_hours_test {
namespace {

using store_access::days_of;
using store_access::hours_of;

TimeWindow window(const char* begin, const char* end) {
  return {parse_time(begin).value(), parse_time(end).value()};
}

std::string shown(const std::vector<TimeWindow>& windows) {
  std::string text;
  for (const TimeWindow& one : windows)
    text += format_time(one.begin).substr(8) + "/" + format_time(one.end).substr(8) + " ";
  return text;
}

TEST(MergedHours, ArePartsOfTheWindow) {
  EXPECT_EQ(shown(hours_of(window("2026-11-26T12:30", "2026-11-26T14:10"), "s").value()),
            "26T12:30:00Z/26T13:00:00Z 26T13:00:00Z/26T14:00:00Z 26T14:00:00Z/26T14:10:00Z ");
  EXPECT_EQ(shown(hours_of(window("2026-11-26T12:00", "2026-11-26T13:00"), "s").value()),
            "26T12:00:00Z/26T13:00:00Z ");
  EXPECT_EQ(shown(hours_of(window("2026-11-26T12:00", "2026-11-26T12:00"), "s").value()), "");
  EXPECT_EQ(hours_of(window("2026-10-01", "2026-11-01"), "s").value().size(), 31u * 24);
}

TEST(MergedHours, NeedAWindowOfAMonthAtMost) {
  EXPECT_EQ(hours_of(std::nullopt, "s").error().message,
            "s: the window is missing; this store merges the profiles of a window");
  EXPECT_EQ(hours_of(window("2026-10-01", "2026-11-02"), "s").error().message,
            "s: the window is longer than 31 days");
}

TEST(MergedHours, AreAskedForByDay) {
  EXPECT_EQ(shown(days_of(window("2026-11-25T12:00", "2026-11-27T00:00"))),
            "25T12:00:00Z/26T12:00:00Z 26T12:00:00Z/27T00:00:00Z ");
}

TEST(MergedHours, AreAMillionAtMost) {
  EXPECT_TRUE(store_access::check_object_count(1'000'000, "s").has_value());
  EXPECT_EQ(store_access::check_object_count(1'000'001, "s").error().message,
            "s: the window has more than 1000000 profiles of hosts and hours");
}

TEST(MergedHours, AreObjectsWithTheirLabels) {
  const TimeWindow hour = window("2026-11-26T13:00", "2026-11-26T14:00");
  const SourceObject object = store_access::merged_object(
      hour, {{"host", "web/1"}, {"version", ""}, {"zone", "a"}}, {{"host", "web/1"}});
  EXPECT_EQ(object.name, "2026-11-26T13:00:00Z/host=web%2F1,zone=a.pb.gz");
  EXPECT_EQ(object.labels, (Labels{{"host", "web/1"}}));
  EXPECT_EQ(object.time, hour.begin);
  EXPECT_EQ(object.time_evidence, TimeEvidence::kStore);
  EXPECT_EQ(store_access::merged_object(hour, {{"host", ""}}, {}).name,
            "2026-11-26T13:00:00Z/all.pb.gz");
}

}  // namespace
}  // namespace pgo::merged_hours_test
