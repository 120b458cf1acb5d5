#include "pgo/base/deferred_termination.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"

namespace pgo::deferred_termination_test {
namespace {

// How a process ends that does this: its exit status, or 128 + the signal's number.
int end_of(const std::function<void()>& action) {
  pid_t child = ::fork();
  if (child == 0) {
    action();
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(DeferredTermination, WaitForTheOutermostToGo) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Result<TemporaryDirectory> outer = TemporaryDirectory::make();
    ASSERT_TRUE(outer);
    std::string path = outer->file("target");
    EXPECT_EQ(end_of([&] {
                ::signal(signal, SIG_DFL);  // nohup ignores SIGHUP for all it starts
                DeferredTermination termination;
                if (termination.any() || is_asked_to_end()) ::_exit(1);
                Result<TemporaryDirectory> made = TemporaryDirectory::make_beside(path);
                {
                  DeferredTermination inner;
                  ::kill(::getpid(), signal);
                  if (!inner.any()) ::_exit(2);
                }
                if (!termination.any() || !is_asked_to_end()) ::_exit(3);
              }),
              128 + signal);
    EXPECT_EQ(::rmdir(outer->path().c_str()), 0) << "not empty";
  }
}

TEST(DeferredTermination, LeaveIgnoredSignalsAlone) {
  EXPECT_EQ(end_of([] {
              ::signal(SIGHUP, SIG_IGN);
              DeferredTermination termination;
              ::kill(::getpid(), SIGHUP);
              if (termination.any()) ::_exit(1);
            }),
            0);
}

TEST(DeferredTermination, ProgramsAreEndedAndCanBe) {
  EXPECT_EQ(
      end_of([] {
        DeferredTermination termination;
        // The program is not blocked as this process is.
        Result<ProcessResult> other = run_subprocess({"/bin/sh", "-c", "kill -TERM $$"});
        if (!other || other->exit_status != 128 + SIGTERM) ::_exit(1);
        Result<ProcessResult> asked =
            run_subprocess({"/bin/sh", "-c", "kill -TERM $PPID; sleep 60"});
        if (asked || asked.error().message != "/bin/sh was stopped, because pgo was asked to stop")
          ::_exit(2);
      }),
      128 + SIGTERM);
}

}  // namespace
}  // namespace pgo::deferred_termination_test
