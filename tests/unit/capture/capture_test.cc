// The loop: when it records, and what it says of it.
#include "tests/unit/capture/capture_fixture.h"

namespace pgo::capture_test {
namespace {

using test::kDuration;
using test::kInterval;
using test::kSecond;

using CaptureTest = test::CaptureTest;

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

TEST_F(CaptureTest, SaysThatThePauseHasEndedAndTheServiceIsBack) {
  host_.paused = true;
  host_.on_pause = [this] {
    host_.paused = host_.time < host_.end - 5 * kInterval;
    if (!host_.paused) host_.processes.clear();
    if (host_.time > host_.end - 3 * kInterval) host_.processes = {{7, 1, 0}};
  };
  run();
  EXPECT_EQ(said_.at(0), "paused: nothing is recorded while the pause file is there");
  EXPECT_EQ(said_.at(1), "no process of program queryd is running");
  EXPECT_EQ(said_.at(2), "program queryd is running");
}

// The number of a process that has ended may be another one's.
TEST_F(CaptureTest, EndsWithTheOneProcess) {
  request_.is_one_process = true;
  request_.service_text = "process 7";
  host_.on_record = [this] {
    if (host_.recorded.size() == 2) host_.processes = {{7, 99, 0}};
    return ok();
  };
  EXPECT_EQ(run().counts.recordings.kept, 3u);
  EXPECT_EQ(said_.back(), "process 7 has ended, so there is nothing left to record");
  host_.processes.clear();
  run();
  EXPECT_EQ(error_, "process 7 is not running; ");
}

TEST_F(CaptureTest, EndsWhereTheFirstRecordingMayNotBeMade) {
  host_.on_record = [] {
    return fail(ErrorKind::kUnsupported, "process 7 belongs to root", "run as root");
  };
  run();
  EXPECT_EQ(error_, "process 7 belongs to root; run as root");
  EXPECT_EQ(host_.pids.size(), 1u);
}

TEST_F(CaptureTest, OnceWithoutSamplesIsAnError) {
  request_.interval.reset();
  host_.samples = 0;
  run();
  EXPECT_EQ(error_,
            "program queryd: the recording has no samples; was the service idle? Record longer, or "
            "under load");
  request_.is_one_process = true;
  run();
  EXPECT_EQ(
      error_,
      "program queryd: the recording has no samples; was the process idle? \xFF{pid} does not "
      "record children that were already running; \xFF{service-name} NAME records all "
      "processes of a program");
}

// The disk may be full then.
TEST_F(CaptureTest, ARecordingCountsAsKeptIfOneOfItsProfilesIs) {
  host_.with_clock = true;
  host_.clock_extension = "/cannot/be";
  host_.end = host_.time + kInterval;
  const CaptureResult result = run();
  EXPECT_EQ(result.counts.recordings.kept, 1u);
  EXPECT_EQ(result.counts.recordings.failed, 0u);
  EXPECT_EQ(result.counts.profiles.stored, 1u);
  EXPECT_TRUE(said_.at(0).starts_with("! a profile of the recording was lost: spool/0000000001-2/"))
      << said_.at(0);
}

TEST_F(CaptureTest, SamplesThatCannotBeUsedAreAnError) {
  host_.used = 300;
  host_.end = host_.time + kInterval;
  run();
  EXPECT_TRUE(said_.at(0).starts_with("recorded 1 000 samples of 1 process (300 can be used)"));
  host_.used = 0;
  host_.end = host_.time + kInterval;
  EXPECT_EQ(run().counts.recordings.failed, 1u);
  EXPECT_TRUE(
      says("! the recording failed: none of 1 000 samples can be used: each is of a file that has "
           "no build ID, or that cannot be read any more; link with -Wl,--build-id; to read "
           "replaced files, give pgo CAP_CHECKPOINT_RESTORE"));
  request_.interval.reset();
  run();
  EXPECT_TRUE(error_.starts_with("none of 1 000 samples can be used")) << error_;
}

TEST_F(CaptureTest, ABuildThatChangesUnderAVersionIsToldOnce) {
  host_.on_record = [this] {
    host_.program = host_.pids.size() < 3 ? "ab" : "cd";
    return ok();
  };
  run();
  for (const std::string& text : said_) EXPECT_FALSE(text.starts_with("! ")) << text;
  request_.labels["version"] = "1.0";
  host_.pids.clear();
  host_.end += 10 * kInterval;
  run();
  EXPECT_EQ(std::count(said_.begin(), said_.end(),
                       "! the program's build ID changed from ab to cd, but its profiles still get "
                       "version=1.0: restart this with the new version, or leave the label out"),
            1);
}

// A process that was moved into the service has used what it used elsewhere.
TEST_F(CaptureTest, OnlyProcessesThatStartedMeanwhilePayAllTheirCpuTime) {
  host_.processes = {{7, 100, 0}};
  host_.service_cpu = 1e6;
  host_.service_share = 0;
  host_.on_record = [this] {
    if (host_.recorded.size() == 1) host_.processes.push_back({5, 50, 0});
    return ok();
  };
  host_.cost = 0;
  EXPECT_EQ(run().cost.service_cpu, 0);
}

// A service that starts a process for each request.
TEST_F(CaptureTest, ACgroupPaysForProcessesThatHaveEnded) {
  host_.is_cgroup = true;
  host_.cost = 5;  // 1 % of 600 s is 6 s in an interval
  // Of processes that are new and old, it is not known what they used since the last look.
  int64_t number = 1;
  host_.on_pause = [&] {
    number++;
    host_.processes = {{number, static_cast<uint64_t>(1000 - number), 0}};
  };
  host_.end = host_.time + 20 * kInterval;
  EXPECT_GE(run().counts.recordings.kept, 18u);
}

TEST_F(CaptureTest, RecordsLessOftenWhenItCostsTooMuch) {
  host_.cost = 30;  // 1 % of 600 s is 6 s in an interval
  host_.end = host_.time + 60 * kInterval;
  const CaptureResult result = run();
  EXPECT_GT(result.counts.skipped.over_budget, 45u);
  EXPECT_GT(result.counts.recordings.kept, 8u);
  EXPECT_LE(result.cost.own_cpu, 0.01 * result.cost.service_cpu + host_.cost);
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
  EXPECT_LE(result.cost.interrupts, 0.01 * result.cost.service_cpu + 5);
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
  EXPECT_LE(result.cost.own_cpu, 0.01 * result.cost.service_cpu + 30);
  EXPECT_TRUE(says("no recording now: the failed one has used up the CPU budget"));
  for (const std::string& text : said_) EXPECT_FALSE(text.starts_with("recording less")) << text;
}

TEST_F(CaptureTest, SaysOnceThatAnEarlierRecordingWasInterrupted) {
  request_.interval.reset();
  EXPECT_TRUE(Spool::open(path("spool"), {})->begin_recording());  // and then the program ended
  EXPECT_EQ(run().counts.recordings.interrupted, 1u);
  EXPECT_TRUE(says("! an earlier recording was interrupted (spool/status.json)"));
  said_.clear();
  EXPECT_EQ(run().counts.recordings.interrupted, 1u);
  EXPECT_EQ(said_, std::vector<std::string>{"recorded 1 000 samples of 1 process"});
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

// The number of one that has ended may be another one's.
TEST_F(CaptureTest, AProcessThatHasTheNumberOfAnotherIsLookedAtAgain) {
  request_.interval.reset();
  host_.on_record = [this]() -> Result<void> {
    if (host_.pids.size() > 1) return ok();
    host_.processes = {{7, 99, 0}};
    return fail(ErrorKind::kIo, "perf: no such process");
  };
  EXPECT_EQ(run().counts.recordings.kept, 1u);
  EXPECT_EQ(host_.pids.size(), 2u);
}

TEST_F(CaptureTest, AFailedRecordingSaysWhatPerfSaidWhateverTheSecondLookFinds) {
  request_.interval.reset();
  const Error perf{ErrorKind::kIo, "perf: no such process"};
  host_.on_record = [&] { return fail(perf); };
  run();
  EXPECT_EQ(error_, "perf: no such process; ");
  host_.on_record = [&] {
    host_.processes.clear();
    return fail(perf);
  };
  run();
  EXPECT_EQ(error_, "perf: no such process; ");
  host_.processes = {{7, 1, 0}};
  host_.on_record = [&] {
    host_.find_error = Error{ErrorKind::kIo, "/proc: cannot list processes"};
    return fail(perf);
  };
  run();
  EXPECT_EQ(error_, "perf: no such process; ");
}

TEST_F(CaptureTest, EndsWhereProcessesCannotBeListed) {
  host_.find_error = Error{ErrorKind::kIo, "/proc: cannot list processes"};
  run();
  EXPECT_EQ(error_, "/proc: cannot list processes; ");
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
