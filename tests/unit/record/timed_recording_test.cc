// record_for_some_time(): a script stands in for perf. tests/e2e/capture/ runs the real one.
#include "pgo/record/timed_recording.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include <cstdlib>
#include <thread>

#include "tests/data/temporary_files.h"

namespace pgo::timed_recording_test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

class TimedRecordingTest : public test::TemporaryFiles {
 protected:
  TimedRecordingTest() {
    setup_.perf = path("perf");
    wanted_.pids = {42};
    wanted_.duration = milliseconds(50);
    wanted_.directory = directory();
  }
  // `script` finds the file to write as $output, and the command as its arguments.
  std::string run(const std::string& script) {
    write("perf",
          "#!/bin/sh\nwhile [ \"$1\" != -- ]; do\n  [ \"$1\" != -o ] || output=$2\n  shift\ndone\n"
          "shift\nwrite() { printf 'PERFILE2%072d' 1 > \"$output\"; }\n" +
              script);
    ::chmod(setup_.perf.c_str(), 0755);
    const Result<TimedRun> run = record_for_some_time(setup_, wanted_, termination_);
    if (!run) return text_of(run.error());
    return "recording '" + relative(run->recording) + "', clock '" +
           relative(run->clock_recording) + "', complaint '" + relative(run->complaint) + "'";
  }
  // Does the process end whose number the script wrote? Its new parent may not wait for it.
  bool child_ends() const {
    std::string number;
    std::ifstream(path("perf.data.child")) >> number;
    const auto end = Clock::now() + std::chrono::seconds(10);
    for (; !number.empty() && Clock::now() < end; std::this_thread::sleep_for(milliseconds(5))) {
      std::ifstream status("/proc/" + number + "/status");
      const std::string text(std::istreambuf_iterator<char>(status), {});
      if (text.empty() || text.find("State:\tZ") != text.npos) return true;
    }
    return false;
  }

  DeferredTermination termination_;
  PerfSetup setup_;
  TimedRecording wanted_;
};

TEST_F(TimedRecordingTest, TheCommandOfPerfTellsItHowLong) {
  wanted_.duration = milliseconds(100);
  const auto begin = Clock::now();
  EXPECT_EQ(run("\"$@\"; write\n"), "recording 'perf.data', clock '', complaint ''");
  EXPECT_GE(Clock::now() - begin, wanted_.duration);
}

TEST_F(TimedRecordingTest, TheCommandHasFractionsOfSecondsOnlyWhereTheyAreAsked) {
  wanted_.duration = milliseconds(100);
  const std::string shown = "echo \"$@\" >&2\n";
  EXPECT_EQ(run(shown), "recording '', clock '', complaint 'timeout 0.100 cat'");
  wanted_.duration = std::chrono::seconds(30);
  EXPECT_EQ(run(shown), "recording '', clock '', complaint 'timeout 30 cat'");
}

TEST_F(TimedRecordingTest, HasTheClockRecordingBesideItWherePerfLeftOne) {
  setup_.cost.emplace();
  const std::string inner = "write\noutput=$(dirname \"$output\")/clock.data\n";
  EXPECT_EQ(run(inner + "write\n"), "recording 'perf.data', clock 'clock.data', complaint ''");
  std::filesystem::remove(path("clock.data"));
  EXPECT_EQ(run(inner + "printf 'PERFILE2' > \"$output\"\n"),
            "recording 'perf.data', clock '', complaint ''");
}

TEST_F(TimedRecordingTest, TellsWhatAPerfSaidThatLeftNoRecording) {
  EXPECT_EQ(run("echo 'Permission error mapping pages.' >&2\nexit 255\n"),
            "recording '', clock '', complaint 'Permission error mapping pages.'");
  EXPECT_EQ(run("exit 0\n"), "recording '', clock '', complaint 'it printed nothing'");
}

TEST_F(TimedRecordingTest, ARequestToEndEndsPerfEarly) {
  wanted_.duration = std::chrono::hours(1);
  const auto begin = Clock::now();
  std::thread asking([this] {
    while (!std::filesystem::exists(path("begun"))) std::this_thread::sleep_for(milliseconds(5));
    ::kill(::getpid(), SIGTERM);
  });
  EXPECT_EQ(
      run("trap 'write; exit' TERM\n: > \"${output%/*}/begun\"\nwhile :; do sleep .01; done\n"),
      "recording 'perf.data', clock '', complaint ''");
  asking.join();
  EXPECT_LT(Clock::now() - begin, std::chrono::minutes(1));
  sigset_t taken;
  ::sigemptyset(&taken);
  ::sigaddset(&taken, SIGTERM);
  const timespec at_once{};
  EXPECT_EQ(::sigtimedwait(&taken, nullptr, &at_once), SIGTERM);
}

// It gets SIGTERM when its time is over, and then SIGKILL, with what it started.
TEST_F(TimedRecordingTest, APerfThatDoesNotEndIsKilled) {
  wanted_.time_to_start = wanted_.time_to_complete = milliseconds(100);
  EXPECT_EQ(run("trap 'echo not yet >&2' TERM\nsleep 600 & echo $! > \"$output.child\"\n"
                "while :; do wait; done\n"),
            "perf did not end: not yet; ");
  EXPECT_TRUE(child_ends());
}

// What perf leaves running must not go on either.
TEST_F(TimedRecordingTest, WhatPerfLeftRunningIsKilled) {
  EXPECT_EQ(run("sleep 600 & echo $! > \"$output.child\"\nwrite\n"),
            "recording 'perf.data', clock '', complaint ''");
  EXPECT_TRUE(child_ends());
}

TEST_F(TimedRecordingTest, SaysWhatKeepsPerfFromBeingStarted) {
  wanted_.directory = path("missing");
  EXPECT_EQ(run("exit 0\n"), "missing/perf.log: cannot create: No such file or directory; ");
  wanted_.directory = directory();
  setup_.perf = path("none");
  const Result<TimedRun> run = record_for_some_time(setup_, wanted_, termination_);
  ASSERT_FALSE(run);
  EXPECT_EQ(text_of(run.error()), "cannot run none: No such file or directory; ");
}

}  // namespace
}  // namespace pgo::timed_recording_test
