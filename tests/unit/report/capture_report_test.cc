#include "pgo/report/capture_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::capture_report_test {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

CaptureResult result() {
  CaptureResult result;
  result.counts = {{7, 3, 1, 2, 1}, {1234, 1200, 30}, {4, 5, 6}};
  result.of_run = {12, 11, 3};
  result.waiting = 9;
  result.waiting_here = 4;
  result.waiting_bytes = 4096;
  result.samples = 99;
  result.cost = {1.234, 0.056, 78.9};
  return result;
}

TEST(CaptureReport, SaysWhatIsRecordedAndWhereItGoes) {
  CaptureRequest request;
  request.duration = 30 * kSecond;
  request.service_text = "unit queryd.service";
  const LocalEngine clock{false, "CPU time (no branch records)", 1500042};
  EXPECT_EQ(capture_start_messages(request, clock, "s3://profiles").at(0).text,
            "recording CPU time (no branch records) of unit queryd.service, one sample in "
            "1 500 042 ns of CPU time, for 30 s, to s3://profiles");
  request.interval = 600 * kSecond;
  LocalEngine branches{true, "taken branches (Intel LBR)", 500009, true};
  ASSERT_EQ(capture_start_messages(request, branches, "/srv").size(), 1u);
  EXPECT_EQ(capture_start_messages(request, branches, "/srv").at(0).text,
            "recording taken branches (Intel LBR) of unit queryd.service, one sample in 500 009 "
            "events, for 30 s in every 600 s, to /srv");
  branches.has_clock = false;
  request.labels = {{"service", "queryd"}};
  EXPECT_EQ(capture_start_messages(request, branches, "/srv").at(1).text,
            "perf cannot record clock samples beside the branch records here, so there are no "
            "profiles of queryd.clock");
}

TEST(CaptureReport, SaysWhatBecameOfAllProfiles) {
  CaptureRequest request;
  request.interval = kSecond;
  const std::vector<Message> loop = capture_messages(request, result(), "s3://profiles");
  ASSERT_EQ(loop.size(), 1u);
  EXPECT_EQ(loop[0].text,
            "s3://profiles: 12 profiles made, 11 stored, 3 dropped, 4 waiting; cost 1.23 s "
            "of CPU time and about 0.06 s of interrupts");
  request.interval.reset();
  const std::vector<Message> once = capture_messages(request, result(), "s3://profiles");
  ASSERT_EQ(once.size(), 2u);
  EXPECT_EQ(once[1].text, "run the same command again to send the waiting profiles");
}

TEST(CaptureReport, JsonHasAllCounts) {
  CaptureResult failed = result();
  failed.last_error = Error{ErrorKind::kIo, "no route"};
  EXPECT_EQ(capture_json(failed), nlohmann::json::parse(R"({
    "run": {
      "samples": 99,
      "profiles": {"made": 12, "stored": 11, "dropped": 3},
      "cost": {"own_cpu_seconds": 1.234, "interrupt_seconds": 0.056, "service_cpu_seconds": 78.9}},
    "spool": {
      "recordings": {"begun": 7, "kept": 3, "without_samples": 1, "failed": 2, "interrupted": 1},
      "profiles":
        {"made": 1234, "stored": 1200, "dropped": 30, "waiting": 9, "waiting_for_output": 4,
         "waiting_bytes": 4096},
      "skipped_intervals": {"paused": 4, "without_process": 5, "over_budget": 6}},
    "last_error": "no route"})"));
}

}  // namespace
}  // namespace pgo::capture_report_test
