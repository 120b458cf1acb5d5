// Which profiles are in the window, by what is known of their times.
#include <gtest/gtest.h>

#include <set>

#include "pgo/fetch/fetch.h"
#include "tests/data/memory_source.h"
#include "tests/unit/fetch/fetch_fixture.h"

namespace pgo::fetch_window_test {
namespace {

using test::profile;

using FetchWindowTest = test::FetchTest;

constexpr int64_t kTen = 1'795'687'200'000'000'000, kHour = int64_t{3600} * 1'000'000'000;

// The time of a profile itself decides about the window, whatever its name and its upload say.
TEST_F(FetchWindowTest, KeepsToTheWindowByTheTimesOfProfiles) {
  auto upload = [&](const std::string& name, int64_t uploaded, int64_t recorded) {
    SourceObject object;
    object.name = name;
    object.labels = {{"host", name}};
    object.time = uploaded;
    object.time_evidence = TimeEvidence::kModified;
    source_.add(object, profile("scan", 600, "", recorded));
  };
  upload("in", kTen + 3 * kHour - 1, kTen + kHour - 1);
  upload("late", kTen + kHour, kTen + kHour);
  upload("early", kTen, kTen - 1);
  upload("timeless-in", kTen + kHour - 1, 0);
  upload("timeless-late", kTen + kHour, 0);
  upload("much-later", kTen + 3 * kHour, kTen);
  add("by-name", "09", profile("scan", 600, "", kTen));
  add("by-name", "10", profile("scan", 600, "", kTen + kHour));
  request_.query.window = TimeWindow{kTen, kTen + kHour};
  // By the name alone, the hour that began at nine is not in this window.
  request_.query.window->begin -= 1;
  const FetchResult result = fetch(request_).value();
  std::set<std::string> names;
  for (const FetchedProfile& one : result.profiles) names.insert(one.candidate.object.name);
  EXPECT_EQ(names, (std::set<std::string>{"by-name/09", "early", "in", "timeless-in"}));
  EXPECT_EQ(result.not_asked.at(NotAsked::kWindow), 1u);
  ASSERT_EQ(result.excluded.size(), 3u);
  EXPECT_EQ(result.excluded[1].text,
            "s3://bucket/p: late: was recorded from 2026-11-26T11:00:00Z to 2026-11-26T11:00:00Z "
            "(asked for: from 2026-11-26T09:59:59.999999999Z to 2026-11-26T11:00:00Z)");
  EXPECT_EQ(result.excluded[2].text,
            "s3://bucket/p: timeless-late: has no time of its own; the time in the store is "
            "2026-11-26T11:00:00Z (asked for: from 2026-11-26T09:59:59.999999999Z to "
            "2026-11-26T11:00:00Z)");
}

TEST_F(FetchWindowTest, SaysWhichWindowIncludesAnHourThatIsAllItKnows) {
  add("by-name", "10", profile("scan", 600, "", 0));
  request_.query.window = TimeWindow{kTen + kHour / 2, kTen + kHour};
  EXPECT_EQ(
      error(),
      "s3://bucket/p: by-name/10: has no time of its own, and its name tells only the hour "
      "2026-11-26T10 (asked for: from 2026-11-26T10:30:00Z to 2026-11-26T11:00:00Z); \xFF{from} "
      "2026-11-26T10 includes this hour");
}

TEST_F(FetchWindowTest, EndsTheWindowWithTheLastHour) {
  add("web-1", "10", profile("scan", 600));
  add("web-1", "11", profile("scan", 600));
  EXPECT_EQ(fetch(request_).value().window, (TimeWindow{kTen, kTen + 2 * kHour}));
}

}  // namespace
}  // namespace pgo::fetch_window_test
