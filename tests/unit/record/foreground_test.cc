#include "pgo/record/foreground.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace pgo::foreground_test {
namespace {

TEST(Foreground, GivesTheExitStatus) {
  Foreground foreground;
  EXPECT_EQ(*foreground.run({"/bin/sh", "-c", "exit 7"}, {}, SIGHUP), 7);
  EXPECT_EQ(*foreground.run({"/bin/sh", "-c", "kill -KILL $$"}, {}, SIGHUP), 128 + SIGKILL);
  EXPECT_EQ(*foreground.run({"/bin/sh", "-c", "test \"$A\" = b"}, {"A=b"}, SIGHUP), 0);
}

TEST(Foreground, SaysWhyACommandCannotStart) {
  Foreground foreground;
  EXPECT_EQ(foreground.run({"/none"}, {}, SIGHUP).error().message,
            "cannot run /none: No such file or directory");
}

// A process that is killed takes its command with it, which no handler could do.
TEST(Foreground, TheCommandEndsWhenItsParentIsKilled) {
  // Orphans become children of this process, which can then wait for them.
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  pid_t recorder = ::fork();
  if (recorder == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    Foreground foreground;
    (void)foreground.run({"/bin/sh", "-c", "echo $$; exec sleep 1000"}, {"PATH=/bin:/usr/bin"},
                         SIGTERM);
    ::_exit(1);
  }
  ::close(ends[1]);
  char line[32] = {};
  ASSERT_GT(::read(ends[0], line, sizeof line - 1), 0);
  pid_t command = std::atoi(line);
  ::kill(recorder, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(recorder, &status, 0), recorder);
  ASSERT_EQ(::waitpid(command, &status, 0), command);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  ::close(ends[0]);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Foreground, WatchesACommand) {
  Foreground foreground;
  int looks = 0;
  EXPECT_EQ(*foreground.run_watched("/bin/sh", {"name", "-c", "sleep 0.2; test $0 = name"},
                                    {"PATH=/bin:/usr/bin"}, std::chrono::milliseconds(10),
                                    [&] { looks++; }),
            0);
  EXPECT_GE(looks, 2);
  EXPECT_EQ(foreground.run_watched("/none", {"a"}, {}, std::chrono::milliseconds(10), [] {})
                .error()
                .message,
            "cannot run /none: No such file or directory");
}

// A watched command goes on when this process is killed.
TEST(Foreground, AWatchedCommandOutlivesItsParent) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  pid_t recorder = ::fork();
  if (recorder == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    Foreground foreground;
    (void)foreground.run_watched("/bin/sh", {"sh", "-c", "echo $$; sleep 0.3; exit 5"},
                                 {"PATH=/bin:/usr/bin"}, std::chrono::milliseconds(10), [] {});
    ::_exit(1);
  }
  ::close(ends[1]);
  char line[32] = {};
  ASSERT_GT(::read(ends[0], line, sizeof line - 1), 0);
  pid_t command = std::atoi(line);
  ::kill(recorder, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(recorder, &status, 0), recorder);
  ASSERT_EQ(::waitpid(command, &status, 0), command);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 5) << status;
  ::close(ends[0]);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace pgo::foreground_test
