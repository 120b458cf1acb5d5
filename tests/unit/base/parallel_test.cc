#include "pgo/base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>
#include <set>
#include <vector>

namespace pgo::parallel_test {
namespace {

TEST(ParallelFor, HandlesEachIndexOnce) {
  for (unsigned jobs : {0u, 1u, 2u, 7u, 64u}) {
    for (size_t n : {size_t{0}, size_t{1}, size_t{2}, size_t{1000}}) {
      std::vector<std::atomic<int>> handled(n);
      parallel_for(n, jobs, [&](size_t i) { handled[i]++; });
      for (size_t i = 0; i < n; i++) EXPECT_EQ(handled[i], 1) << i << " of " << n << ", " << jobs;
    }
  }
}

TEST(ParallelFor, GivesTheSameForAnyNumberOfThreads) {
  auto sum_in_order = [](unsigned jobs) {
    std::vector<uint64_t> slots(500);
    parallel_for(slots.size(), jobs, [&](size_t i) { slots[i] = i * i; });
    uint64_t hash = 0;
    for (uint64_t value : slots) hash = hash * 31 + value;
    return hash;
  };
  EXPECT_EQ(sum_in_order(1), sum_in_order(5));
}

TEST(ParallelFor, UsesTheCallersThreadAloneForOneJob) {
  std::set<std::thread::id> threads;
  parallel_for(10, 1, [&](size_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(ParallelFor, RunsItemsAtTheSameTime) {
  // Each waits for the other; on one thread this would never end.
  std::atomic<int> arrived{0};
  parallel_for(2, 2, [&](size_t) {
    arrived++;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ParallelFor, HandsOverAnExceptionOnceAllThreadsHaveEnded) {
  for (unsigned jobs : {1u, 2u, 7u}) {
    std::atomic<int> inside{0};
    std::atomic<size_t> begun{0};
    EXPECT_THROW(parallel_for(1'000'000, jobs,
                              [&](size_t) {
                                inside++;
                                begun++;
                                bool fails = begun > 20;
                                inside--;
                                if (fails) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
    EXPECT_EQ(inside, 0);
    EXPECT_LT(begun, 1'000'000u);
  }
}

TEST(ResolveJobs, TakesANumberAsItIsAndEveryCoreForZero) {
  EXPECT_EQ(resolve_jobs(3), 3u);
  EXPECT_GE(resolve_jobs(0), 1u);
  EXPECT_LE(resolve_jobs(0), std::thread::hardware_concurrency());
}

TEST(ParallelForByThread, HandlesEachIndexOnceWithWhatTheThreadHas) {
  for (size_t threads : {1u, 2u, 7u}) {
    std::vector<std::vector<size_t>> handled(threads);  // each by its thread alone
    parallel_for_by_thread(1000, threads,
                           [&](size_t thread, size_t i) { handled.at(thread).push_back(i); });
    std::vector<size_t> all;
    for (const std::vector<size_t>& one : handled) all.insert(all.end(), one.begin(), one.end());
    std::sort(all.begin(), all.end());
    std::vector<size_t> expected(1000);
    std::iota(expected.begin(), expected.end(), size_t{0});
    EXPECT_EQ(all, expected) << threads;
  }
}

TEST(ParallelMap, GivesTheValuesInTheirOrder) {
  struct Value {  // without a default
    explicit Value(size_t n) : number(n) {}
    size_t number;
  };
  for (unsigned jobs : {0u, 1u, 7u}) {
    const std::vector<Value> values = parallel_map(100, jobs, [](size_t i) { return Value(i); });
    ASSERT_EQ(values.size(), 100u) << jobs;
    for (size_t i = 0; i < 100; i++) EXPECT_EQ(values[i].number, i) << jobs;
  }
}

TEST(ParallelMap, ThrowsInsteadOfLeavingAValueOut) {
  for (unsigned jobs : {1u, 7u})
    EXPECT_THROW(parallel_map(100, jobs,
                              [](size_t i) {
                                if (i == 50) throw std::bad_alloc();
                                return i;
                              }),
                 std::bad_alloc)
        << jobs;
}

}  // namespace
}  // namespace pgo::parallel_test
