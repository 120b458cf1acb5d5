#include "pgo/refresh/status.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/base/time_text.h"
#include "pgo/report/status_report.h"
#include "tests/data/temporary_files.h"

namespace pgo::status_test {
namespace {

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000, kDay = 24 * kHour;

class StatusTest : public test::TemporaryFiles {
 protected:
  StatusTest() {
    request_.name = "queryd";
    request_.lock = path("pgo.lock");
    request_.cache = path("cache");
    request_.now = parse_time("2026-12-10T00:00:00Z").value();
    request_.max_age = 14 * kDay;
  }
  void pin(const std::string& window) {
    LockEntry entry;
    entry.reference = "oci-dir:profiles:week-48";
    entry.manifest = "sha256:" + std::string(64, 'a');
    if (!window.empty())
      entry.window = TimeWindow{parse_time("2026-11-19").value(), parse_time(window).value()};
    LockFile lock;
    lock.profiles["queryd"] = entry;
    write("pgo.lock", lock_file_text(lock));
  }
  ServiceStatus status() { return service_status(request_).value(); }

  StatusRequest request_;
};

TEST_F(StatusTest, NothingIsPinned) {
  EXPECT_EQ(status().due, std::vector<std::string>{"nothing is pinned"});
  EXPECT_EQ(status_text({status()}),
            "  PROFILE  RECORDED UNTIL  AGE  MATCH  STATE  VERSION\n"
            "  queryd   -                 -      -  due    -\n"
            "queryd is due: nothing is pinned\n");
}

TEST_F(StatusTest, AgeIsThatOfTheLastRecording) {
  pin("2026-12-01");
  EXPECT_EQ(status().age, 9 * kDay);
  EXPECT_FALSE(status().is_due());
  request_.max_age = 9 * kDay - 1;
  EXPECT_EQ(status().due,
            std::vector<std::string>{"it was recorded until 2026-12-01T00:00:00Z, 9d ago"});
  request_.max_age = 9 * kDay;
  EXPECT_FALSE(status().is_due());
  EXPECT_EQ(status_text({status()}),
            "  PROFILE  RECORDED UNTIL        AGE  MATCH  STATE  VERSION\n"
            "  queryd   2026-12-01T00:00:00Z   9d      -  ok     sha256:aaaaaaaaaaaa\n");
}

TEST_F(StatusTest, IsDueWhenItsAgeIsNotKnown) {
  pin("");
  EXPECT_FALSE(status().age);
  EXPECT_EQ(
      status().due,
      std::vector<std::string>{
          "its age is not known: neither the profiles nor their names contain the recording time; "
          "path-template can say where names have {hour} or {date}"});
  request_.max_age = 0;
  EXPECT_FALSE(status().is_due());
}

// The end of the day that a name tells may be later than now.
TEST_F(StatusTest, IsDueWhenItWasRecordedInTheFuture) {
  pin("2026-12-12");
  EXPECT_EQ(status().age, -2 * kDay);
  EXPECT_FALSE(status().is_due());
  pin("2026-12-12T00:01");
  EXPECT_EQ(status().due, std::vector<std::string>{
                              "it was recorded until 2026-12-12T00:01:00Z, which is in the future; "
                              "is the clock of a host wrong, or a name in the store?"});
}

TEST_F(StatusTest, NamesTheBuildThatDoesNotMatch) {
  pin("2026-12-01");
  request_.current_builds = {path("pgo.lock"), "build/libquery.so"};
  EXPECT_EQ(status().not_compared,
            "build/libquery.so, named by current-build, does not exist; build it first");
  EXPECT_NE(status_text({status()}).find("  not checked  "), std::string::npos);
  CurrentBuildMatch match;
  match.builds = {{"build/queryd", 1}, {"build/libquery.so", .138}, {"build/libnew.so", {}}};
  match.match_rate = .138;
  match.lowest = "build/libquery.so";
  match.min_match = 50;
  EXPECT_EQ(match.describe("it"), "only 13.8 % of what it has of build/libquery.so match");
  EXPECT_FALSE(match.is_enough());
  ServiceStatus judged = status();
  judged.match = match;
  EXPECT_EQ(status_json({judged})["profiles"][0]["builds"].dump(),
            R"([{"match_rate":1.0,"path":"build/queryd"},)"
            R"({"match_rate":0.138,"path":"build/libquery.so"},)"
            R"({"match_rate":null,"path":"build/libnew.so"}])");
  match.lowest = "";
  EXPECT_EQ(match.describe("it"),
            "only 13.8 % of it match the builds of current-build together (are all "
            "libraries listed there?)");
  match.builds.resize(1);
  match.lowest = "build/queryd";
  EXPECT_EQ(match.describe("it"), "only 13.8 % of it match build/queryd");
}

TEST(StatusText, IsEmptyWithoutServices) { EXPECT_EQ(status_text({}), ""); }

TEST(AgeText, HasTwoUnitsAtMost) {
  EXPECT_EQ(age_text(0), "0m");
  EXPECT_EQ(age_text(kHour - 1), "59m");
  EXPECT_EQ(age_text(kDay - 1), "23h");
  EXPECT_EQ(age_text(kDay), "1d");
  EXPECT_EQ(age_text(3 * kDay + 4 * kHour), "3d 4h");
  EXPECT_EQ(age_text(10 * kDay + kHour), "10d");
  EXPECT_EQ(age_text(-5), "0m");
}

}  // namespace
}  // namespace pgo::status_test
