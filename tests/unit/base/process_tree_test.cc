#include "pgo/base/process_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "pgo/base/program_start.h"
#include "pgo/base/unique_fd.h"

namespace pgo::process_tree_test {
namespace {

pid_t start(const std::string& script) {
  DeferredTermination termination;
  UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  Result<pid_t> started = start_program(
      {.command = {"/bin/sh", "-c", script}, .output = nowhere.fd, .error = nowhere.fd},
      termination);
  EXPECT_TRUE(started) << started.error().message;
  return started ? *started : 0;
}

bool exists(pid_t pid) { return ::kill(pid, 0) == 0; }

TEST(ProcessTree, FindsDaemons) {
  ProcessTree tree;
  EXPECT_FALSE(tree.any_alive());
  const pid_t shell = start("setsid sleep 100 & exit 0");
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(shell), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(tree.any_alive());  // although its parent and its process group are gone
  EXPECT_FALSE(tree.wait_for_end(std::chrono::milliseconds(0)));
  tree.end_all();
  EXPECT_FALSE(tree.any_alive());
  EXPECT_FALSE(exists(shell));
}

TEST(ProcessTree, SendsASignalToAll) {
  ProcessTree tree;
  start("setsid sleep 100 & sleep 100");
  while (!tree.any_alive()) std::this_thread::yield();
  tree.send(SIGTERM);
  // The shell may start one of them only then: so until none is left.
  while (!tree.wait_for_end(std::chrono::milliseconds(100))) tree.send(SIGTERM);
  EXPECT_FALSE(tree.any_alive());
}

TEST(ProcessTree, AddsUpWhatItsProcessesUse) {
  ProcessTree tree;
  start("setsid sh -c 'while :; do :; done' & exit 0");
  ProcessTimes times;
  do times = tree.times();
  while (times.cpu < .05 || times.user + times.system < .05);
  EXPECT_GT(times.peak_memory, 10'000u);
  EXPECT_GE(tree.times().cpu, times.cpu);
}

TEST(ProcessTree, LeavesEarlierChildrenAlone) {
  const pid_t earlier = start("exec sleep 100");
  {
    ProcessTree tree;
    EXPECT_FALSE(tree.any_alive());
    tree.end_all();
  }
  EXPECT_TRUE(exists(earlier));
  EXPECT_EQ(::waitpid(earlier, nullptr, WNOHANG), 0);
  ::kill(earlier, SIGKILL);
  EXPECT_EQ(::waitpid(earlier, nullptr, 0), earlier);
}

}  // namespace
}  // namespace pgo::process_tree_test
