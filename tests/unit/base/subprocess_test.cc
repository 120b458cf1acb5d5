#include "pgo/base/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace pgo::subprocess_test {
namespace {

ProcessResult run(const std::string& script) {
  Result<ProcessResult> finished = run_subprocess({"/bin/sh", "-c", script});
  EXPECT_TRUE(finished.has_value());
  return finished ? *finished : ProcessResult{};
}

TEST(Subprocess, KeepsBothStreamsAndTheStatus) {
  ProcessResult finished = run("echo out; echo err >&2; exit 3");
  EXPECT_EQ(finished.output, "out\n");
  EXPECT_EQ(finished.error, "err\n");
  EXPECT_EQ(finished.exit_status, 3);
}

TEST(Subprocess, ASignalIsAStatusAbove128) { EXPECT_EQ(run("kill -9 $$").exit_status, 128 + 9); }

TEST(Subprocess, HasNoStandardInput) { EXPECT_EQ(run("wc -c").output, "0\n"); }

TEST(Subprocess, DoesNotBlockOnMuchOutput) {
  ProcessResult finished = run("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero");
  EXPECT_EQ(finished.output.size(), 300000u);
  EXPECT_EQ(finished.error.size(), 300000u);
}

TEST(Subprocess, SaysWhatCannotBeStarted) {
  Result<ProcessResult> finished = run_subprocess({"/nonexistent/tool"});
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error(),
            (Error{ErrorKind::kIo, "cannot run /nonexistent/tool: No such file or directory"}));
}

TEST(Subprocess, TakesAnotherEnvironment) {
  Result<ProcessResult> finished =
      run_subprocess_in({"WORD=here"}, {"/bin/sh", "-c", "echo $WORD ${HOME-unset}"});
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->output, "here unset\n");
}

ProcessResult run_within(std::chrono::milliseconds timeout, const std::string& script) {
  Result<ProcessResult> finished = run_subprocess_within(timeout, {"/bin/sh", "-c", script});
  EXPECT_TRUE(finished.has_value());
  return finished ? *finished : ProcessResult{};
}

TEST(SubprocessWithin, IsLikeAnyOtherWhenItEndsInTime) {
  ProcessResult finished = run_within(std::chrono::minutes(1), "echo out; echo err >&2; exit 3");
  EXPECT_EQ(finished.output, "out\n");
  EXPECT_EQ(finished.error, "err\n");
  EXPECT_EQ(finished.exit_status, 3);
  EXPECT_FALSE(finished.timed_out);
}

TEST(SubprocessWithin, EndsWithAllItStartedWhenItsTimeIsOver) {
  ProcessResult finished =
      run_within(std::chrono::milliseconds(200), "echo begun; sleep 60 | sleep 60");
  EXPECT_TRUE(finished.timed_out);
  EXPECT_EQ(finished.output, "begun\n");
  EXPECT_EQ(finished.exit_status, 128 + 9);
}

TEST(SubprocessWithin, IsNotHeldUpByWhatItLeftRunning) {
  ProcessResult finished = run_within(std::chrono::minutes(1), "sleep 60 & echo $!");
  EXPECT_FALSE(finished.timed_out);
  EXPECT_EQ(finished.exit_status, 0);
  pid_t left = std::atoi(finished.output.c_str());
  ASSERT_GT(left, 1);
  // Killed; somebody else has to bury it.
  std::string state;
  for (int i = 0; i < 200; i++) {
    state = run("cut -d' ' -f3 /proc/" + std::to_string(left) + "/stat").output;
    if (state.empty() || state == "Z\n") break;
    ::usleep(10'000);
  }
  EXPECT_TRUE(state.empty() || state == "Z\n") << state;
}

// Several writers: there is always something to read.
TEST(SubprocessWithin, EndsWhatNeverPausesInWriting) {
  ProcessResult finished =
      run_within(std::chrono::milliseconds(200), "yes & yes >&2 & yes & yes >&2 & exec yes");
  EXPECT_TRUE(finished.timed_out);
  EXPECT_EQ(finished.exit_status, 128 + 9);
}

TEST(SubprocessWithin, IsNotHeldUpByWhatItLeftWriting) {
  ProcessResult finished =
      run_within(std::chrono::minutes(1), "yes & yes >&2 & yes & yes >&2 & exit 3");
  EXPECT_FALSE(finished.timed_out);
  EXPECT_EQ(finished.exit_status, 3);
}

TEST(SubprocessWithin, KeepsWhatWasWrittenLast) {
  ProcessResult finished =
      run_within(std::chrono::minutes(1), "sleep 60 & head -c 65536 /dev/zero; echo last >&2");
  EXPECT_FALSE(finished.timed_out);
  EXPECT_EQ(finished.output.size(), 65536u);
  EXPECT_EQ(finished.error, "last\n");
}

// With a limit of 3 descriptors, poll() of 4 fails.
TEST(SubprocessWithin, ThatItCannotBeWatchedIsNoTimeout) {
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Result<ProcessResult> finished = run_subprocess_within(
        std::chrono::minutes(1),
        {"/bin/sh", "-c", "prlimit --pid $PPID --nofile=3: && echo done; sleep 60"});
    Error expected{ErrorKind::kIo, "/bin/sh: cannot watch: Invalid argument"};
    ::_exit(!finished && finished.error() == expected ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(SubprocessWithin, ARequestToEndEndsBoth) {
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Result<ProcessResult> finished = run_subprocess_within(
        std::chrono::minutes(1), {"/bin/sh", "-c", "kill -TERM $PPID; sleep 60"});
    ::_exit(finished ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(FindProgram, FirstExecutableFileOfTheSearchPath) {
  EXPECT_EQ(find_program("sh", "/nonexistent:/bin:/usr/bin"), "/bin/sh");
  EXPECT_EQ(find_program("/bin/sh", ""), "/bin/sh");
  EXPECT_EQ(find_program("sh", "/nonexistent"), std::nullopt);
  EXPECT_EQ(find_program("bin", "/"), std::nullopt);  // a directory
}

TEST(LastWords, AreTheLastThreeLinesOfTheErrors) {
  ProcessResult failed;
  failed.output = "out\n", failed.error = "a\nb\n\nc\nd\n";
  EXPECT_EQ(stderr_tail(failed), "b; c; d");
  failed.output = "one\ntwo", failed.error.clear();
  EXPECT_EQ(stderr_tail(failed), "one; two");
  EXPECT_EQ(stderr_tail({}), "it printed nothing");
}

TEST(FindProgram, LooksInThePathOfTheEnvironment) {
  const char* before = std::getenv("PATH");
  std::string kept = before != nullptr ? before : "";
  ::setenv("PATH", "/a:/b", 1);
  EXPECT_EQ(search_path_from_environment(), "/a:/b");
  ::unsetenv("PATH");
  EXPECT_EQ(search_path_from_environment(), "/usr/local/bin:/usr/bin:/bin");
  if (before != nullptr) ::setenv("PATH", kept.c_str(), 1);
}

// Of what it started, too.
TEST(Subprocess, SaysWhatAProgramUsed) {
  Result<ProcessResult> finished = run_subprocess(
      {"/bin/sh", "-c", "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; true"});
  ASSERT_TRUE(finished);
  const ProcessUsage& usage = finished->usage;
  EXPECT_GT(usage.user + usage.system, .001);
  EXPECT_GT(usage.wall, 0);
  EXPECT_GE(2 * usage.peak_memory, own_peak_memory());
}

}  // namespace
}  // namespace pgo::subprocess_test
