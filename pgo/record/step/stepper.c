// The two signal handlers. Both run with all signals blocked, so nothing interrupts them, and call
// nothing of the C library but memcpy and clock_gettime; they make system calls themselves, and so
// keep errno.
#define _GNU_SOURCE
#include "stepper.h"

#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include "clock_buffer.h"
#include "instruction.h"
#include "raw_call.h"
#include "real_calls.h"
#include "recorded_process.h"
#include "table_writer.h"
#include "thread_table.h"

enum {
  kTrapFlag = 0x100,
  kTimerSignalFromLast = 3,  // SIGRTMAX - 3
  kKernelMask = 8,           // bytes of a signal set as the kernel takes it
};

// What a burst has seen.
struct Burst {
  struct Instruction next;  // the thread is about to execute it
  struct ReadablePage readable;
  uint64_t last_time, ticks;
  struct StepSample sample;
};

// What only the thread itself and its handlers touch.
struct ThreadState {
  struct TimedThread* timed;  // NULL: no timer
  int64_t allowance;          // time stamp ticks; a burst may begin when it is not negative
  uint64_t random;
  struct Burst burst;
};

static struct {
  bool running;  // the handlers are ours
  bool off;      // no more bursts, and no timers; atomic
  int timer_signal;
  uint32_t pid;
  uint64_t step_ticks;         // what a step costs, learnt
  bool choosing;               // taken by whoever uses the next two; atomic
  struct sigaction wanted[2];  // what the program has set for the two signals
  bool has_handler[2];         // that is a function; atomic
  bool given[2];               // it has been installed; atomic
} engine;

static _Thread_local struct ThreadState self __attribute__((tls_model("initial-exec")));

bool is_stepping(void) { return engine.running; }
int timer_signal(void) { return engine.timer_signal; }
bool has_timer(void) { return self.timed != NULL; }

static struct SlotOrigin origin(void) {
  return (struct SlotOrigin){engine.pid, self.timed ? self.timed->tid : 0};
}

// Without a recorder nothing is recorded any more. The timers stay, since a handler must not make a
// system call that it has not made before (seccomp).
static bool is_off(void) {
  return __atomic_load_n(&engine.off, __ATOMIC_ACQUIRE) || !has_recorder();
}

static int index_of(int signal) { return signal == SIGTRAP ? 0 : 1; }

static struct sigaction copy_wanted(int signal) {
  while (__atomic_exchange_n(&engine.choosing, true, __ATOMIC_ACQUIRE)) {
  }
  struct sigaction copy = engine.wanted[index_of(signal)];
  __atomic_store_n(&engine.choosing, false, __ATOMIC_RELEASE);
  return copy;
}

static void give_signal(int signal, const struct sigaction* action) {
  __atomic_store_n(&engine.given[index_of(signal)], true, __ATOMIC_RELEASE);
  real_sigaction(signal, action, NULL);
}

// A signal that is not the engine's. The program gets it as it would without the engine, by an
// action of its own: then it comes once more, when this handler has returned.
static void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = copy_wanted(signal);
  if (action.sa_handler == SIG_IGN) return;
  const long tid = raw_call4(SYS_gettid, 0, 0, 0, 0);
  if (action.sa_handler == SIG_DFL) {  // which ends the process
    give_signal(signal, &action);
    raw_call4(SYS_tgkill, getpid(), tid, signal, 0);
    return;
  }
  stop_stepping(signal == SIGTRAP
                    ? "is not recorded any further: it handles a SIGTRAP of its own"
                    : "is not recorded any further: it uses the signal SIGRTMAX-3 itself");
  if (any_burst()) {  // in which a handler of the program waits, perhaps the one that this
                      // interrupts
    action.sa_sigaction(signal, info, context);
    return;
  }
  give_signal(signal, &action);
  raw_call4(SYS_rt_tgsigqueueinfo, getpid(), tid, signal, (long)info);
}

static bool is_ours_installed(void (*handler)(int, siginfo_t*, void*)) {
  struct {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
  } installed = {0};
  return raw_call4(SYS_rt_sigaction, SIGTRAP, 0, (long)&installed, kKernelMask) == 0 &&
         installed.handler == handler;
}

static uint64_t next_random(void) {
  self.random ^= self.random << 13;
  self.random ^= self.random >> 7;
  self.random ^= self.random << 17;
  return self.random;
}

// The pause behind a burst is proportional to its cost; half to one and a half times as long, so
// that nothing periodic keeps step with it.
static void pay_for(uint64_t ticks) {
  self.allowance = -(int64_t)(ticks / 2 + (ticks >> 10) * (next_random() & 1023));
  __atomic_fetch_add(&table_header()->spent_ticks, ticks, __ATOMIC_RELAXED);
}

static void hand_over_sample(const struct StepSample* sample) {
  __atomic_fetch_add(&table_header()->steps, sample->steps, __ATOMIC_RELAXED);
  struct Slot* slot = take_sample_slot(origin(), 1);
  if (!slot) return;
  const size_t unused = (kStackDepth - sample->count) * sizeof sample->branches[0];
  memcpy(&slot->sample, sample, sizeof *sample - unused);
  move_clock_samples(self.timed->clock, slot);
  hand_over(slot);
}

// They wait for the thread's next burst, for which the table needs a slot anyway.
static void add_own_clock_sample(uint64_t ip, uint64_t periods) {
  add_clock_sample(self.timed->clock, (struct ClockSample){ip, periods});
}

static void end_burst(uint64_t ip) {
  struct Burst* burst = &self.burst;
  burst->sample.ip = ip;
  pay_for(burst->ticks);
  if (burst->sample.count > 0 && !is_off())
    hand_over_sample(&burst->sample);
  else if (!is_off())  // in straight code
    add_own_clock_sample(burst->sample.timer_ip, burst->sample.periods);
  __atomic_store_n(&self.timed->bursting, false, __ATOMIC_RELEASE);
}

// A step that took much longer was interrupted: by another thread, or by the hypervisor.
static void count_cost(void) {
  struct Burst* burst = &self.burst;
  const uint64_t now = __rdtsc();
  uint64_t cost = now - burst->last_time;
  burst->last_time = now;
  uint64_t known = __atomic_load_n(&engine.step_ticks, __ATOMIC_RELAXED);
  if (cost > 8 * known) cost = 8 * known;
  __atomic_store_n(&engine.step_ticks, known + (uint64_t)(((int64_t)cost - (int64_t)known) / 16),
                   __ATOMIC_RELAXED);
  burst->ticks += cost;
}

// Looks at the step that led to `ip`; true when the burst goes on.
static bool follow_step(uint64_t ip) {
  struct Burst* burst = &self.burst;
  struct StepSample* sample = &burst->sample;
  count_cost();
  sample->steps++;
  switch (classify_step(&burst->next, ip)) {
    case kTaken: sample->branches[sample->count++] = (struct StepBranch){burst->next.at, ip}; break;
    case kStraightOn: break;
    case kLost: return false;
  }
  if (sample->count == kStackDepth || sample->steps >= table_header()->steps_per_burst)
    return false;
  burst->next = read_instruction(ip, &burst->readable);
  return burst->next.course != kMustStop;
}

static void on_trap(int signal, siginfo_t* info, void* context) {
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  const uint64_t ip = (uint64_t)registers[REG_RIP];
  const bool stepped = (registers[REG_EFL] & kTrapFlag) != 0;
  const bool bursting = stepped && self.timed && self.timed->bursting;
  const bool is_step = stepped && info->si_code == TRAP_TRACE;
  if (bursting && is_step && !is_off() && follow_step(ip)) return;
  if (bursting) end_burst(ip);
  if (stepped) registers[REG_EFL] &= ~(greg_t)kTrapFlag;
  if (!is_step) pass_on(signal, info, context);
}

// True when the thread is to be stepped from `ip` on.
static bool begin_burst(uint64_t ip, uint64_t periods, uint64_t began) {
  struct Burst* burst = &self.burst;
  burst->next = read_instruction(ip, &burst->readable);
  if (burst->next.course == kMustStop || !is_ours_installed(on_trap)) return false;
  burst->sample.timer_ip = ip;
  burst->sample.periods = periods;
  burst->sample.steps = burst->sample.count = 0;
  burst->ticks = 0;
  burst->last_time = began;
  __atomic_store_n(&self.timed->bursting, true, __ATOMIC_SEQ_CST);
  if (!is_off()) return true;
  __atomic_store_n(&self.timed->bursting, false, __ATOMIC_RELEASE);
  return false;
}

static void on_timer(int signal, siginfo_t* info, void* context) {
  const uint64_t began = __rdtsc();
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &engine) {
    pass_on(signal, info, context);
    return;
  }
  if (!self.timed) return;
  if (is_off()) {
    count_lost_samples(1);
    return;
  }
  ucontext_t* state = context;
  greg_t* registers = state->uc_mcontext.gregs;
  if (registers[REG_EFL] & kTrapFlag) return;  // in the handler's frame of a burst, or not ours
  if (sigismember(&state->uc_sigmask, SIGTRAP)) return;
  // A handler of the program has left a burst by longjmp.
  if (self.timed->bursting) end_burst(self.burst.next.at);

  const struct TableHeader* header = table_header();
  const uint64_t intervals = 1 + (uint64_t)(info->si_overrun > 0 ? info->si_overrun : 0);
  const uint64_t passed = header->period * header->ticks_per_ms / 1000000 * intervals;
  self.allowance += (int64_t)(passed * header->share_per_mille / 1000);
  const uint64_t ip = (uint64_t)registers[REG_RIP];
  self.burst.readable = (struct ReadablePage){0};
  // The timer ran out in the kernel, whose time is not the program's.
  if (follows_system_call(ip, &self.burst.readable)) return;
  if (self.allowance < 0) {
    add_own_clock_sample(ip, intervals);
    return;
  }
  self.allowance = 0;
  if (begin_burst(ip, intervals, began))
    registers[REG_EFL] |= kTrapFlag;
  else
    add_own_clock_sample(ip, intervals);
}

// `restart`: SA_RESTART or 0.
static bool install(int signal, int restart) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | restart};
  action.sa_sigaction = signal == SIGTRAP ? on_trap : on_timer;
  sigfillset(&action.sa_mask);
  return real_sigaction(signal, &action, NULL) == 0;
}

static bool take_signal(int signal) {
  struct sigaction before;
  if (real_sigaction(signal, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return false;
  return install(signal, SA_RESTART);
}

bool start_stepping(void) {
  engine.pid = (uint32_t)getpid();
  engine.step_ticks = table_header()->step_ticks;
  engine.timer_signal = SIGRTMAX - kTimerSignalFromLast;
  if (!take_signal(SIGTRAP)) return false;
  if (!take_signal(engine.timer_signal)) {
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    real_sigaction(SIGTRAP, &by_default, NULL);
    return false;
  }
  engine.running = true;
  arm_thread(0);
  return true;
}

static bool start_timer(struct TimedThread* thread) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = engine.timer_signal;
  event.sigev_value.sival_ptr = &engine;
  event._sigev_un._tid = (int)thread->tid;
  int timer = 0;
  if (raw_call4(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, (long)&event, (long)&timer, 0) != 0)
    return false;
  set_timer(thread, timer);
  const uint64_t period = table_header()->period;
  struct itimerspec spec;
  spec.it_interval.tv_sec = spec.it_value.tv_sec = (time_t)(period / 1000000000);
  spec.it_interval.tv_nsec = spec.it_value.tv_nsec = (long)(period % 1000000000);
  return raw_call4(SYS_timer_settime, timer, 0, (long)&spec, 0) == 0;
}

static uint64_t block_all(void) {
  uint64_t all = ~0ull, before = 0;
  raw_call4(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&before, kKernelMask);
  return before;
}

static void restore_mask(uint64_t before) {
  raw_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, kKernelMask);
}

void arm_thread(uint32_t creator) {
  if (!engine.running || is_off() || !is_recorded_process()) return;
  const uint64_t mask = block_all();
  const uint32_t tid = (uint32_t)raw_call4(SYS_gettid, 0, 0, 0, 0);
  const struct SlotOrigin own = {engine.pid, tid};
  const uint64_t ours = 1ull << (SIGTRAP - 1) | 1ull << (engine.timer_signal - 1);
  struct TimedThread* thread = claim_thread(own);
  if (thread && start_timer(thread)) {
    self.random = tid * 0x9e3779b97f4a7c15u + __rdtsc() + 1;
    self.allowance = 0;
    self.timed = thread;
  } else if (thread) {
    free_thread(thread);
  }
  if (creator) put_text(own, kSlotThread, creator, "", 0);
  if ((mask & ours) || (creator && !self.timed)) put_text(own, kSlotBlocked, 0, "", 0);
  restore_mask(mask);
}

void disarm_thread(void) {
  struct TimedThread* thread = self.timed;
  if (!thread || !is_recorded_process()) return;
  // Without timers nothing interrupts, and system calls may be forbidden (seccomp).
  const bool timers_run = !__atomic_load_n(&engine.off, __ATOMIC_ACQUIRE);
  const uint64_t mask = timers_run ? block_all() : 0;
  if (!is_off()) hand_over_clock_samples(thread->clock, engine.pid);
  self.timed = NULL;
  free_thread(thread);
  if (timers_run) restore_mask(mask);
}

// A child of vfork() hands over the samples of its parent, with whom it shares them.
void finish_samples(void) {
  if (!engine.running || is_off() || !is_recorded_process()) return;
  const uint64_t mask = block_all();
  hand_over_all_clock_samples(engine.pid);
  restore_mask(mask);
}

// The child has this thread only, and none of the timers.
void rearm_after_fork(void) {
  if (!engine.running) return;
  const uint64_t mask = block_all();
  const uint32_t parent = engine.pid;
  engine.pid = (uint32_t)getpid();
  mark_process();
  engine.choosing = false;  // by a thread that is not here
  forget_threads();
  self.timed = NULL;
  if (!is_off()) put_text((struct SlotOrigin){engine.pid, engine.pid}, kSlotFork, parent, "", 0);
  restore_mask(mask);
  arm_thread(0);
}

// A burst takes a millisecond, unless its thread does not run or a handler waits in it.
static void wait_for_bursts(void) {
  enum { kTries = 100, kMillisecond = 1000000 };
  for (int i = 0; i < kTries && any_burst(); i++) {
    struct timespec pause = {0, kMillisecond};
    raw_call4(SYS_nanosleep, (long)&pause, 0, 0, 0);
  }
}

void stop_stepping(const char* reason) {
  if (!engine.running) return;
  if (!is_recorded_process()) {  // has no timers, and a copy of its parent's samples
    __atomic_store_n(&engine.off, true, __ATOMIC_SEQ_CST);
    return;
  }
  const uint64_t mask = block_all();
  if (!is_off()) hand_over_all_clock_samples(engine.pid);
  if (!__atomic_exchange_n(&engine.off, true, __ATOMIC_SEQ_CST)) {
    put_text((struct SlotOrigin){engine.pid, engine.pid}, kSlotNote, 0, reason,
             (uint32_t)strlen(reason));
    delete_all_timers();
  }
  restore_mask(mask);
  wait_for_bursts();
}

void want_action(int signal, const struct sigaction* action, struct sigaction* before) {
  const uint64_t mask = block_all();
  if (before) *before = copy_wanted(signal);
  if (action) {
    while (__atomic_exchange_n(&engine.choosing, true, __ATOMIC_ACQUIRE)) {
    }
    engine.wanted[index_of(signal)] = *action;
    __atomic_store_n(&engine.choosing, false, __ATOMIC_RELEASE);
    const bool has_handler = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    __atomic_store_n(&engine.has_handler[index_of(signal)], has_handler, __ATOMIC_RELAXED);
    // A system call that the signal interrupts goes on, or does not, as the program wants.
    if (has_handler) install(signal, action->sa_flags & SA_RESTART);
  }
  restore_mask(mask);
}

bool is_given(int signal) {
  return __atomic_load_n(&engine.given[index_of(signal)], __ATOMIC_ACQUIRE);
}

bool may_have_pending_timer(void) {
  const int signal = engine.timer_signal;
  const bool has_handler = __atomic_load_n(&engine.has_handler[index_of(signal)], __ATOMIC_RELAXED);
  if (!engine.running || is_given(signal) || has_handler) return false;
  // A signal of a deleted timer may still be pending. The kernel is not asked for the mask, because
  // seccomp may forbid the call.
  if (__atomic_load_n(&engine.off, __ATOMIC_ACQUIRE)) return true;
  uint64_t mask = 0;
  raw_call4(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, kKernelMask);
  return (mask & 1ull << (signal - 1)) != 0;
}

unsigned long needed_stack(void) {
  enum { kFrameBeforeLinux514 = 4096, kHandlers = 2048 };
  const unsigned long frame = getauxval(AT_MINSIGSTKSZ);
  return (frame ? frame : kFrameBeforeLinux514) + kHandlers;
}
