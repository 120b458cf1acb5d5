// The loop, on a host whose clock the test sets and which records nothing.
#include "pgo/capture/capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "tests/data/temporary_files.h"

namespace pgo::capture_test {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kInterval = 600 * kSecond, kDuration = 30 * kSecond;

class FakeHost final : public CaptureHost {
 public:
  int64_t time = 1'000'000 * kInterval;
  int64_t end = time + 10 * kInterval;  // then it is asked to end
  bool paused = false, store_is_away = false;
  std::set<std::string> refused;                // contents of profiles that the store refuses
  double own_cpu = 0, cost = 0.1;               // seconds; of a recording
  double service_share = 1, service_cpu = 100;  // processors that the service uses, and has used
  uint64_t samples = 1000;
  bool with_clock = false;
  int64_t time_to_send = 0;
  std::vector<ServiceProcess> processes = {{7, 1, 0}};
  std::function<Result<void>()> on_record = [] { return ok(); };
  std::vector<int64_t> recorded;  // seconds into the interval
  std::vector<std::string> sent;  // service and contents
  std::vector<std::vector<int64_t>> pids;

  int64_t now() const override { return time; }
  void wait_until(int64_t until) override { advance(std::min(until, end) - time); }
  bool is_asked_to_end() const override { return time >= end; }
  bool is_paused() const override { return paused; }
  double cpu_time() const override { return own_cpu; }
  Result<std::vector<ServiceProcess>> find_processes() const override {
    std::vector<ServiceProcess> found = processes;
    for (ServiceProcess& process : found) process.cpu = service_cpu;
    return found;
  }
  Result<HostRecording> record(const std::vector<ServiceProcess>& its,
                               const std::string&) override {
    pids.emplace_back();
    for (const ServiceProcess& process : its) pids.back().push_back(process.pid);
    PGO_CHECK(on_record());
    recorded.push_back(time % kInterval / kSecond);
    HostRecording recording;
    recording.begin = time;
    advance(kDuration);
    recording.end = time;
    own_cpu += cost;
    recording.profile.samples = samples;
    recording.profile.has_branches = with_clock;
    if (samples > 0) recording.profile.contents = "profile " + std::to_string(recorded.size());
    recording.profile.extension = ".addr";
    if (with_clock) {
      recording.clock_profile = RecordedProfile{};
      recording.clock_profile->contents = "clock";
      recording.clock_profile->extension = ".addr";
      recording.clock_profile->samples = 10;
    }
    return recording;
  }
  Result<Diagnostics> send(const std::string& path, const Labels& labels) override {
    if (store_is_away) return fail(ErrorKind::kIo, "store: connection refused", "start it");
    advance(time_to_send);
    std::ifstream file(path);
    const std::string contents(std::istreambuf_iterator<char>(file), {});
    if (refused.contains(contents))
      return fail(ErrorKind::kIo, "store: " + contents + " is too old");
    sent.push_back(labels.at("service") + ": " + contents);
    return Diagnostics();
  }
  void advance(int64_t duration) {
    if (duration <= 0) return;
    time += duration;
    service_cpu += service_share * static_cast<double>(duration) / 1e9;
  }
};

class CaptureTest : public test::TemporaryFiles {
 protected:
  CaptureTest() {
    request_.duration = kDuration;
    request_.interval = kInterval;
    request_.labels = {{"service", "queryd"}};
    request_.service_text = "program queryd";
    request_.note = [this](const std::string& text) { said_.push_back(relative(text)); };
    request_.warn = [this](const std::string& text) { said_.push_back("! " + relative(text)); };
  }
  CaptureResult run(uint64_t max_bytes = 1 << 20) {
    Result<Spool> spool = Spool::open(path("spool"), {max_bytes});
    EXPECT_TRUE(spool);
    Result<CaptureResult> result = capture(request_, host_, *spool);
    if (!result) {
      error_ = text_of(result.error());
      return {};
    }
    const auto& [recordings, profiles, skipped] = result->counts;
    EXPECT_EQ(recordings.begun, recordings.kept + recordings.without_samples + recordings.failed +
                                    recordings.interrupted);
    EXPECT_EQ(profiles.made, profiles.stored + profiles.dropped + result->waiting);
    return *std::move(result);
  }
  bool says(const std::string& text) const {
    return std::find(said_.begin(), said_.end(), text) != said_.end();
  }

  CaptureRequest request_;
  FakeHost host_;
  std::vector<std::string> said_;
  std::string error_;
};

TEST_F(CaptureTest, RecordsOnceInEachIntervalAndSends) {
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.kept, 10u);
  EXPECT_EQ(result.counts.profiles.stored, 10u);
  EXPECT_EQ(host_.sent.at(0), "queryd: profile 1");
  EXPECT_EQ(result.samples, 10'000u);
  EXPECT_NE(host_.recorded[0], host_.recorded[1]);
  EXPECT_FALSE(result.last_error);
}

TEST_F(CaptureTest, OnceIsNowAndWithoutALoop) {
  request_.interval.reset();
  const int64_t before = host_.time;
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.kept, 1u);
  EXPECT_EQ(host_.time, before + kDuration);
  EXPECT_EQ(said_, std::vector<std::string>{"recorded 1 000 samples of 1 process"});
}

TEST_F(CaptureTest, OnceSaysWhyNothingWasRecorded) {
  request_.interval.reset();
  host_.on_record = [] { return fail(ErrorKind::kIo, "perf left no recording", "advice"); };
  run();
  EXPECT_EQ(error_, "perf left no recording; advice");
  host_.processes.clear();
  run();
  EXPECT_EQ(error_, "no process of program queryd is running; ");
}

TEST_F(CaptureTest, ClockSamplesBesideBranchRecordsAreAServiceOfTheirOwn) {
  request_.interval.reset();
  host_.with_clock = true;
  const CaptureResult result = run();
  EXPECT_EQ(host_.sent, (std::vector<std::string>{"queryd: profile 1", "queryd.clock: clock"}));
  EXPECT_EQ(result.counts.recordings.kept, 1u);
  EXPECT_EQ(result.counts.profiles.stored, 2u);
  EXPECT_TRUE(
      says("recorded 1 000 samples of 1 process with branch records, and 10 clock samples"));
}

TEST_F(CaptureTest, WhileTheStoreIsAwayTheSpoolFillsAndTheOldestAreDropped) {
  host_.store_is_away = true;
  const CaptureResult result = run(3 * std::string("profile 1").size());
  EXPECT_EQ(result.counts.profiles.made, 10u);
  EXPECT_EQ(result.counts.profiles.dropped, 8u);  // "profile 10" has one byte more
  EXPECT_EQ(result.waiting, 2u);
  EXPECT_EQ(result.last_error->message, "store: connection refused");
  EXPECT_TRUE(says("! not sent: store: connection refused; start it; 1 profile waits in spool"));
  EXPECT_TRUE(
      says("! the spool spool is full: 1 profile was dropped, the oldest first (1 so far)"));
  // The next run sends what is there first, the oldest first.
  host_.store_is_away = false;
  host_.end += kInterval;
  said_.clear();
  run();
  EXPECT_EQ(host_.sent, (std::vector<std::string>{"queryd: profile 9", "queryd: profile 10",
                                                  "queryd: profile 11"}));
  EXPECT_EQ(said_.at(0), "2 profiles wait in spool and will be sent first");
}

TEST_F(CaptureTest, TheStoreIsTriedAgainBetweenTurns) {
  host_.store_is_away = true;
  host_.end = host_.time + 3 * kInterval;
  host_.on_record = [this] {
    if (host_.recorded.size() == 2) host_.store_is_away = false;
    return ok();
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.profiles.stored, 3u);
  EXPECT_TRUE(says("the store answers again: 3 profiles were sent"));
  EXPECT_EQ(std::count_if(said_.begin(), said_.end(),
                          [](const std::string& text) { return text.starts_with("! not sent"); }),
            1);
}

// A store may never take some profiles: Pyroscope refuses those of the time before it was away.
TEST_F(CaptureTest, WhatTheStoreRefusesDoesNotHoldUpOthers) {
  host_.refused = {"profile 1", "profile 2", "profile 3"};
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.profiles.stored, 7u);
  EXPECT_EQ(result.waiting, 3u);
  EXPECT_EQ(host_.sent.at(0), "queryd: profile 4");
  EXPECT_EQ(host_.sent.at(6), "queryd: profile 10");
  EXPECT_TRUE(result.last_error);
}

// Whoever asks a process to end kills it after some time.
TEST_F(CaptureTest, AtTheEndItSendsForSomeTimeOnly) {
  host_.store_is_away = true;
  run();
  host_.store_is_away = false;
  host_.time_to_send = 15 * kSecond;
  const CaptureResult result = run();
  EXPECT_EQ(host_.sent.size(), 2u);
  EXPECT_EQ(result.waiting, 8u);
}

TEST_F(CaptureTest, PausesWhileTheFileIsThere) {
  host_.paused = true;
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.begun, 0u);
  EXPECT_EQ(result.counts.skipped.paused, 10u);
  EXPECT_EQ(said_,
            std::vector<std::string>{"paused: nothing is recorded while the pause file is there"});
}

TEST_F(CaptureTest, WaitsForTheServiceToRun) {
  host_.processes.clear();
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.skipped.without_process, 10u);
  EXPECT_EQ(said_, std::vector<std::string>{"no process of program queryd is running"});
}

TEST_F(CaptureTest, RecordsLessOftenWhenItCostsTooMuch) {
  host_.cost = 30;  // 1 % of 600 s is 6 s in an interval
  host_.end = host_.time + 60 * kInterval;
  const CaptureResult result = run();
  EXPECT_GT(result.counts.skipped.over_budget, 45u);
  EXPECT_GT(result.counts.recordings.kept, 8u);
  EXPECT_LE(result.cost.own_cpu, 0.01 * result.cost.service_cpu + 2 * host_.cost);
  EXPECT_TRUE(
      says("recording less often: another recording would cost more than 1.0 % of the "
           "service's CPU time"));
}

TEST_F(CaptureTest, InterruptsOfSamplesCount) {
  request_.clock_sample_cost = 5e-6;
  host_.samples = 1'000'000;
  host_.cost = 0;
  host_.end = host_.time + 20 * kInterval;
  const CaptureResult result = run();
  EXPECT_DOUBLE_EQ(result.cost.interrupts,
                   5.0 * static_cast<double>(result.counts.recordings.kept));
  EXPECT_LE(result.cost.interrupts, 0.01 * result.cost.service_cpu + 10);
}

TEST_F(CaptureTest, AFailedRecordingIsCountedAndTheLoopGoesOn) {
  host_.on_record = [this]() -> Result<void> {
    if (host_.pids.size() == 3) return fail(ErrorKind::kIo, "perf left no recording");
    return ok();
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.failed, 1u);
  EXPECT_EQ(result.counts.recordings.kept, 9u);
  EXPECT_TRUE(says("! the recording failed: perf left no recording"));
  EXPECT_FALSE(result.last_error);
}

TEST_F(CaptureTest, FailedRecordingsCostAsOthersDo) {
  host_.end = host_.time + 60 * kInterval;
  host_.on_record = [this]() -> Result<void> {
    host_.own_cpu += 30;
    return fail(ErrorKind::kIo, "perf left no recording");
  };
  const CaptureResult result = run();
  EXPECT_GT(result.counts.skipped.over_budget, 45u);
  EXPECT_LE(result.cost.own_cpu, 0.01 * result.cost.service_cpu + 60);
}

TEST_F(CaptureTest, ARecordingThatHadJustBegunIsInterrupted) {
  host_.on_record = [this]() -> Result<void> {
    host_.end = host_.time;
    return fail(ErrorKind::kIo, "perf left no recording");
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.interrupted, 1u);
  EXPECT_EQ(result.counts.recordings.failed, 0u);
  EXPECT_TRUE(said_.empty());
}

TEST_F(CaptureTest, WhenAProcessHasEndedTheOthersAreRecorded) {
  request_.interval.reset();
  host_.processes = {{7, 1, 0}, {8, 1, 0}};
  host_.on_record = [this]() -> Result<void> {
    if (host_.pids.size() > 1) return ok();
    host_.processes.pop_back();
    return fail(ErrorKind::kIo, "perf: no such process");
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.kept, 1u);
  EXPECT_EQ(host_.pids, (std::vector<std::vector<int64_t>>{{7, 8}, {7}}));
}

TEST_F(CaptureTest, RecordingsWithoutSamplesAreCounted) {
  host_.samples = 0;
  EXPECT_EQ(run().counts.recordings.without_samples, 10u);
  EXPECT_TRUE(host_.sent.empty());
}

TEST_F(CaptureTest, ARecordingThatWasCutShortIsKeptAndSent) {
  host_.end = host_.time + kInterval;
  request_.seed = 1;
  host_.on_record = [this] {
    host_.end = host_.time + kSecond;
    return ok();
  };
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.kept, 1u);
  EXPECT_EQ(host_.sent.size(), 1u);
}

}  // namespace
}  // namespace pgo::capture_test
