#include "pgo/recording/record.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pgo/report/record_report.h"
#include "tests/data/small_recording.h"
#include "tests/data/temporary_files.h"

namespace pgo::record_test {
namespace {

class RecordTest : public test::TemporaryFiles {
 protected:
  RecordTest() {
    request_.command = {"/bin/true"};
    request_.output = path("server.data");
    request_.engine = EngineWish::kClock;
    request_.search_path = path("bin");
    request_.starting = [this](const RecordStart& start) { starts_.push_back(start); };
  }

  // A perf that writes a recording which was made before, and runs the command after "--".
  void install_perf() {
    const std::vector<uint8_t> recording = test::small_recording().file();
    write("small.data", Bytes(recording));
    std::string program = write("bin/perf",
                                "#!/bin/sh\n"
                                "while [ \"$1\" != -- ]; do\n"
                                "  [ \"$1\" != -o ] || /bin/cp " +
                                    path("small.data") +
                                    " \"$2\"\n"
                                    "  shift\n"
                                    "done\n"
                                    "shift\n"
                                    "exec \"$@\"\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  Error error() {
    Result<RecordResult> result = record(request_);
    EXPECT_FALSE(result);
    EXPECT_TRUE(starts_.empty());
    return result ? Error{} : result.error();
  }

  std::vector<std::string> texts(const std::vector<Message>& messages) const {
    std::vector<std::string> texts;
    for (const Message& message : messages) texts.push_back(relative(message.text));
    return texts;
  }

  RecordRequest request_;
  std::vector<RecordStart> starts_;
};

TEST_F(RecordTest, RecordsByPerf) {
  install_perf();
  request_.command = {"/bin/sh", "-c", "exit 3"};
  Result<RecordResult> result = record(request_);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(std::filesystem::exists(request_.output));
  EXPECT_EQ(result->engine, UsedEngine::kClock);
  EXPECT_EQ(result->exit_status, 3);
  EXPECT_EQ(result->clock_output, "");
  ASSERT_EQ(starts_.size(), 1u);
  EXPECT_EQ(starts_[0].perf_command.front(), path("bin/perf"));
  EXPECT_EQ(record_json(request_, *result), (nlohmann::json{{"output", request_.output},
                                                            {"engine", "clock"},
                                                            {"period", 250007},
                                                            {"samples", 4},
                                                            {"exit_status", 3}}));
  EXPECT_EQ(texts(record_messages(request_, *result)),
            (std::vector<std::string>{"server.data: 4 samples",
                                      "/bin/sh failed: it ended with exit code 3"}));
}

TEST_F(RecordTest, RefusesRequestsThatContradictThemselves) {
  request_.output = "-";
  EXPECT_EQ(error().message,
            "\xFF{output} -: a recording is written as a file and cannot be streamed; name a file "
            "(one that is called - is ./-)");
  request_.output = path("server.data");
  request_.command.clear();
  EXPECT_EQ(error().message, "there is no command to record: put it after --, or use \xFF{pid}");
  request_.engine = EngineWish::kEmulate;
  request_.pid = 1;
  EXPECT_EQ(error().message,
            "\xFF{pid} needs \xFF{engine} perf or clock: emulation runs a command from its start");
  request_.engine = EngineWish::kStep;
  EXPECT_EQ(error().message,
            "\xFF{pid} needs \xFF{engine} perf or clock: single steps need a command that is "
            "started here");
  request_.engine = EngineWish::kClock;
  request_.overhead = 3;
  EXPECT_EQ(error().message, "\xFF{overhead} is for \xFF{engine} step");
}

TEST_F(RecordTest, SaysWhatSingleStepsRecorded) {
  RecordStart start;
  start.engine = UsedEngine::kStep;
  start.period = start.usual_period = 10'000'000;
  EXPECT_EQ(texts(record_start_messages(start)),
            std::vector<std::string>{
                "recording by single steps: exact branch records of short bursts, and PC samples"});
  RecordResult result;
  result.engine = UsedEngine::kStep;
  result.period = 10'000'000;
  EXPECT_EQ(texts(record_messages(request_, result)),
            std::vector<std::string>{
                "server.data has no samples: one period is 10000000 ns of CPU time; use a smaller "
                "\xFF{period} or run the command for longer"});
  result.samples = 1234;
  result.samples_without_branches = 1000;
  result.totals.threads = 3;
  result.totals.processes = 1;
  result.totals.taken_branches = 12345;
  result.step_share = 0.0149;
  EXPECT_EQ(texts(record_messages(request_, result)),
            std::vector<std::string>{"server.data: 1 234 samples from 3 threads in 1 process; "
                                     "234 of them with 12 345 branches; single steps took 1.5 % of "
                                     "the CPU time"});
  result.user_seconds = 8;
  result.sampled_seconds = 7.5;
  EXPECT_EQ(texts(record_messages(request_, result)).size(), 1u);
  EXPECT_EQ(record_json(request_, result), (nlohmann::json{{"output", request_.output},
                                                           {"user_seconds", 8.0},
                                                           {"sampled_seconds", 7.5},
                                                           {"engine", "step"},
                                                           {"period", 10'000'000},
                                                           {"samples", 1234},
                                                           {"exit_status", 0},
                                                           {"samples_without_branches", 1000},
                                                           {"taken_branches", 12345},
                                                           {"step_share", 0.0149}}));
}

TEST_F(RecordTest, SaysThatSingleStepsMissMostOfACommand) {
  const std::string why =
      "single steps do not sample static programs, programs that su, sudo or env -i start, and "
      "threads that block all signals; put pgo record after su, sudo or env";
  RecordResult result;
  result.engine = UsedEngine::kStep;
  result.period = 4'000'000;
  result.user_seconds = 0.15;
  EXPECT_EQ(texts(record_messages(request_, result)),
            std::vector<std::string>{"server.data has no samples, but the command took 0.15 s of "
                                     "CPU time: " +
                                     why});
  result.samples = 12;
  result.sampled_seconds = 0.2;
  result.user_seconds = 10;
  const std::vector<std::string> some = texts(record_messages(request_, result));
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(
      some[1],
      "server.data has samples of 2.0 % of the 10.00 s of CPU time that the command took: " + why);
  // Of so little time, chance decides how much is sampled.
  result.sampled_seconds = 0;
  result.user_seconds = 0.08;
  EXPECT_EQ(texts(record_messages(request_, result)).size(), 1u);
}

TEST_F(RecordTest, KeepsWhatItRecordsAndWhatElseIsWritten) {
  std::string program = write("bin/server.data", "#!/bin/sh\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  request_.command = {program};
  request_.output = path("bin/../bin/server.data");
  EXPECT_EQ(relative(error().message),
            "\xFF{output} bin/../bin/server.data would replace the program that is recorded");

  request_.command = {"/bin/true"};
  request_.engine = EngineWish::kPerf;
  request_.other_files = {{path("bin/server.clock.data"), "\xFF{report}"}};
  EXPECT_EQ(relative(error().message),
            "bin/../bin/server.clock.data would be written twice, by \xFF{output} and by "
            "\xFF{report}");
  request_.clock_recording = false;
  EXPECT_EQ(error().message, "perf was not found");
}

TEST_F(RecordTest, NamesTheOtherEngines) {
  const std::string install =
      "install it (Debian: apt-get install linux-perf; Ubuntu: linux-tools-generic; Fedora: perf)";
  EXPECT_EQ(error(), (Error{ErrorKind::kUnsupported, "perf was not found",
                            install + "; or record by single steps (\xFF{engine} step) or under "
                                      "emulation (\xFF{engine} emulate)"}));
  request_.engine = EngineWish::kEmulate;
  request_.qemu = "/none/qemu";
  EXPECT_EQ(error(), (Error{ErrorKind::kUnsupported, "/none/qemu was not found",
                            "install QEMU's user-mode emulation (Debian, Ubuntu: apt-get install "
                            "qemu-user)"}));
}

TEST_F(RecordTest, SaysWhatAShortPeriodMeans) {
  RecordStart start;
  start.engine = UsedEngine::kClock;
  start.period = 999;
  start.usual_period = 250007;
  start.explanation = "PC samples";
  start.perf_command = {"perf", "record"};
  EXPECT_EQ(texts(record_start_messages(start)),
            (std::vector<std::string>{
                "\xFF{period} is in nanoseconds of CPU time here: 999 asks for 1 001 001 samples a "
                "second, which slows down what is recorded; the default is 250007",
                "recording PC samples: perf record"}));
}

TEST_F(RecordTest, SaysWhyThereAreNoSamples) {
  RecordResult result;
  result.engine = UsedEngine::kEmulate;
  result.period = 10007;
  result.totals.taken_branches = 1;
  EXPECT_EQ(texts(record_messages(request_, result)),
            std::vector<std::string>{"server.data has no samples: 1 branch was taken, one period "
                                     "is 10007; use a smaller \xFF{period} or run the command for "
                                     "longer"});
  result.engine = UsedEngine::kPerf;
  EXPECT_EQ(texts(record_messages(request_, result)),
            std::vector<std::string>{"server.data has no samples: one period is 10007 events; use "
                                     "a smaller \xFF{period} or record for longer"});
}

TEST(ClockPath, IsBesideTheOutput) {
  EXPECT_EQ(clock_path("d.x/server.data"), "d.x/server.clock.data");
  EXPECT_EQ(clock_path("perf"), "perf.clock");
}

}  // namespace
}  // namespace pgo::record_test
