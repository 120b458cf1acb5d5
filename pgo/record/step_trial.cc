// A child sets the trap flag and counts the traps, as the library does in the programs that it
// records. If it is killed for that, only the child is.
#include "pgo/record/step_trial.h"

#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace pgo {
namespace {

Failure refuse_steps(const std::string& why) {
  return fail(ErrorKind::kUnsupported, "single steps do not work here: " + why,
              "record PC samples (\xFF{engine} clock), or under emulation (\xFF{engine} emulate)");
}

#if defined(__x86_64__)

constexpr int kSteps = 63;
constexpr long long kTrapFlag = 0x100;

// A signal handler has no object of ours.
volatile sig_atomic_t steps_seen;
uint64_t step_times[kSteps];

void count_step(int, siginfo_t*, void* context) {
  const int number = steps_seen;
  if (number < kSteps) {
    step_times[number] = __rdtsc();
    steps_seen = number + 1;
  }
  if (number + 1 >= kSteps)
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
}

// In the child: writes the median of the steps' costs.
[[noreturn]] void step(int out) {
  struct sigaction action{};
  action.sa_sigaction = count_step;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGTRAP, &action, nullptr);
  sigset_t trap;
  ::sigemptyset(&trap);
  ::sigaddset(&trap, SIGTRAP);
  ::sigprocmask(SIG_UNBLOCK, &trap, nullptr);
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp\n\t"  // the red zone
      "pushfq\n\t"
      "orq $0x100, (%%rsp)\n\t"
      "popfq\n\t"
      "lea 128(%%rsp), %%rsp" ::
          : "memory", "cc");
  volatile int work = 0;
  for (int i = 0; i < 1000; i++) work = work + i;
  if (steps_seen != kSteps) ::_exit(1);
  uint64_t costs[kSteps - 1];
  for (int i = 1; i < kSteps; i++) costs[i - 1] = step_times[i] - step_times[i - 1];
  std::nth_element(std::begin(costs), costs + (kSteps - 1) / 2, std::end(costs));
  const ssize_t size = ::write(out, &costs[(kSteps - 1) / 2], sizeof costs[0]);
  ::_exit(size == sizeof costs[0] ? 0 : 1);
}

uint64_t measure_ticks_per_ms() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const uint64_t first = __rdtsc();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const uint64_t last = __rdtsc();
  const auto passed =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  return (last - first) * 1'000'000 / static_cast<uint64_t>(passed);
}

#endif

}  // namespace

// Before 5.10 the kernel sends the signal of a timer of CPU time at any moment, and so interrupts
// system calls that have just begun to wait. Since then it sends it on the way back to the program.
Result<void> check_kernel_release(const std::string& release) {
  using Version = std::pair<int, int>;
  Version version;
  if (std::sscanf(release.c_str(), "%d.%d", &version.first, &version.second) == 2 &&
      version >= Version{5, 10})
    return ok();
  return refuse_steps("Linux " + release +
                      " would interrupt the program's system calls; Linux 5.10 and later do not");
}

#if defined(__x86_64__)

Result<StepCost> try_steps() {
  struct utsname system{};
  ::uname(&system);
  PGO_CHECK(check_kernel_release(system.release));
  int ends[2];
  if (::pipe(ends) != 0) return fail(ErrorKind::kIo, "cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) step(ends[1]);
  ::close(ends[1]);
  StepCost cost;
  const bool stepped = child > 0 && ::read(ends[0], &cost.step_ticks, sizeof cost.step_ticks) ==
                                        static_cast<ssize_t>(sizeof cost.step_ticks);
  ::close(ends[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!stepped || status != 0)
    return refuse_steps("the kernel does not stop after each instruction");
  cost.ticks_per_ms = measure_ticks_per_ms();
  return cost;
}

#else

Result<StepCost> try_steps() { return refuse_steps("they need an x86-64 processor"); }

#endif

}  // namespace pgo
