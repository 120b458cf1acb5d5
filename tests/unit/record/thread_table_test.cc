#include "pgo/record/step/thread_table.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <thread>

#include "tests/data/shared_step_table.h"

namespace pgo::thread_table_test {
namespace {

constexpr uint32_t kPid = 10;

class ThreadTableTest : public test::SharedStepTable {
 protected:
  ~ThreadTableTest() override { forget_threads(); }

  static TimedThread* claim(uint32_t tid) { return claim_thread({kPid, tid}); }
  static void add(TimedThread* thread, uint64_t ip) { add_clock_sample(thread->clock, {ip, 1}); }
  // The samples of each thread in the table.
  std::map<uint32_t, uint32_t> counts() {
    std::map<uint32_t, uint32_t> counts;
    for (const Slot& slot : take()) counts[slot.tid] += slot.clock_count;
    return counts;
  }
};

using Counts = std::map<uint32_t, uint32_t>;

TEST_F(ThreadTableTest, GivesTheEntryOfAThreadThatEndedToAnother) {
  TimedThread* first = claim(1);
  TimedThread* second = claim(2);
  EXPECT_NE(first, second);
  free_thread(first);
  EXPECT_EQ(claim(3), first);
  EXPECT_EQ(second->tid, 2u);
}

TEST_F(ThreadTableTest, HandsOverTheSamplesOfAllThreads) {
  for (uint32_t tid = 1; tid <= 3; tid++) {
    TimedThread* thread = claim(tid);
    for (uint32_t i = 0; i < tid; i++) add(thread, i);
  }
  hand_over_all_clock_samples(kPid);
  EXPECT_EQ(counts(), (Counts{{1, 1}, {2, 2}, {3, 3}}));
  hand_over_all_clock_samples(kPid);
  EXPECT_EQ(counts(), Counts{});
}

TEST_F(ThreadTableTest, LeavesABufferThatIsStillHandedOver) {
  TimedThread* first = claim(1);
  add(first, 1);
  free_thread(first);
  first->clock->taken = true;
  EXPECT_NE(claim(2), first);
  first->clock->taken = false;
  EXPECT_EQ(claim(3), first);
  hand_over_all_clock_samples(kPid);
  EXPECT_EQ(counts(), Counts{});  // those of thread 1 are not of thread 3
}

TEST_F(ThreadTableTest, HasAnEnd) {
  uint32_t tid = 1;
  while (claim(tid) != nullptr) tid++;
  EXPECT_EQ(tid, 1025u);
}

// As in the child of a fork, while a thread of the parent had its buffer.
TEST_F(ThreadTableTest, ForgetsThreads) {
  TimedThread* first = claim(1);
  TimedThread* second = claim(2);
  for (TimedThread* thread : {first, second}) add(thread, 1);
  second->bursting = second->clock->taken = true;
  EXPECT_TRUE(any_burst());
  forget_threads();
  EXPECT_FALSE(any_burst());
  constexpr uint32_t kChild = 20;
  EXPECT_EQ(claim_thread({kChild, 20}), first);
  EXPECT_EQ(claim_thread({kChild, 21}), second);
  hand_over_all_clock_samples(kChild);
  EXPECT_EQ(counts(), Counts{});
}

bool has_timer_number(int timer) {
  itimerspec time{};
  return ::syscall(SYS_timer_gettime, timer, &time) == 0;
}

int make_timer() {
  sigevent event{};
  event.sigev_notify = SIGEV_NONE;
  int timer = -1;
  ::syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
  return timer;
}

TEST_F(ThreadTableTest, DeletesTheTimersOfItsThreads) {
  const int foreign = make_timer(), owned = make_timer(), last = make_timer();
  ASSERT_GE(foreign, 0);
  claim(1);  // has none yet; the first timer of a process has the number 0
  TimedThread* second = claim(2);
  set_timer(second, owned);
  TimedThread* third = claim(3);
  set_timer(third, last);
  free_thread(third);
  EXPECT_FALSE(has_timer_number(last));
  EXPECT_TRUE(has_timer_number(owned));
  delete_all_timers();
  EXPECT_FALSE(has_timer_number(owned));
  EXPECT_TRUE(has_timer_number(foreign));
  ::syscall(SYS_timer_delete, foreign);
}

// Threads come and go while another one hands over what all have. Each sample is in the table once,
// as its thread's, or is counted as lost.
TEST_F(ThreadTableTest, LosesNoSampleInSilence) {
  constexpr uint32_t kThreads = 3, kLives = 2000, kSamples = 5;
  std::atomic<uint32_t> running = kThreads;
  auto live = [&](uint32_t number) {
    for (uint32_t life = 0; life < kLives; life++) {
      const uint32_t tid = 1 + number + life * kThreads;
      TimedThread* thread = claim(tid);
      for (uint32_t i = 0; thread && i < kSamples; i++) add(thread, tid);
      if (thread) hand_over_clock_samples(thread->clock, kPid);
      if (thread) free_thread(thread);
      if (!thread) count_lost_samples(kSamples);
    }
    running--;
  };
  std::thread finisher([&] {
    while (running > 0) hand_over_all_clock_samples(kPid);
  });
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; i++) threads.emplace_back(live, i);
  uint64_t found = 0, wrong = 0;
  auto look = [&] {
    for (const Slot& slot : take())
      for (uint32_t i = 0; i < slot.clock_count; i++, found++)
        wrong += slot.clock[i].ip != slot.tid;
  };
  while (running > 0) look();
  for (std::thread& thread : threads) thread.join();
  finisher.join();
  look();
  EXPECT_EQ(found + lost(), uint64_t{kThreads} * kLives * kSamples);
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace pgo::thread_table_test
