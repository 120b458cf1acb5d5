// parallel_for, and what is made of it: the only threading in this project. Each index is handled
// by exactly one thread; a caller that fills slot i for index i and merges the slots in index order
// is deterministic.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace pgo {

// Threads that `jobs` asks for: itself, or every core this process may use for 0.
unsigned resolve_jobs(unsigned jobs);

// Calls body(i) for every i in [0, n), on up to `jobs` threads (0: all cores), the caller's own
// among them; on fewer when the system refuses more. When memory runs out in `body`, no further
// index is begun, and once all threads have ended the caller gets the exception.
template <typename Body>
void parallel_for(size_t n, unsigned jobs, const Body& body) {
  std::atomic<size_t> next{0};
  std::atomic_flag failed;
  std::exception_ptr failure;  // of the first thread that set `failed`
  auto work = [&] {
    try {
      for (size_t i = next.fetch_add(1); i < n; i = next.fetch_add(1)) body(i);
    } catch (...) {
      next = n;
      if (!failed.test_and_set()) failure = std::current_exception();
    }
  };
  size_t threads = resolve_jobs(jobs);
  if (threads > n) threads = n;
  std::vector<std::jthread> others;
  try {
    for (size_t t = 1; t < threads; t++) others.emplace_back(work);
  } catch (const std::system_error&) {
    // The threads there are do all the work.
  }
  work();
  for (std::jthread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

// Calls body(thread, i) for every i in [0, n), on up to `threads` threads, which is at least 1,
// with the number of the thread, in [0, threads): for what each thread has of its own. When memory
// runs out in `body`, the caller gets the exception once the other threads have done the rest.
template <typename Body>
void parallel_for_by_thread(size_t n, size_t threads, const Body& body) {
  std::atomic<size_t> next{0};
  parallel_for(threads, static_cast<unsigned>(threads), [&](size_t thread) {
    for (size_t i = next.fetch_add(1); i < n; i = next.fetch_add(1)) body(thread, i);
  });
}

// What body(i) returns for every i in [0, n), in this order, on up to `jobs` threads (0: all
// cores). When memory runs out, the caller gets the exception.
template <typename Body>
auto parallel_map(size_t n, unsigned jobs, const Body& body) {
  using Value = decltype(body(size_t{0}));
  std::vector<std::unique_ptr<Value>> slots(n);  // a Value may have no default
  parallel_for(n, jobs, [&](size_t i) { slots[i] = std::make_unique<Value>(body(i)); });
  std::vector<Value> values;
  values.reserve(n);
  // None is empty: parallel_for() has called `body` for each index, or has thrown.
  for (std::unique_ptr<Value>& slot : slots) values.push_back(std::move(*slot));
  return values;
}

// Sorts like std::sort, on up to `jobs` threads (0: all cores): slices first, then merged two by
// two.
template <typename T, typename Less>
void parallel_sort(std::vector<T>& items, unsigned jobs, const Less& less) {
  constexpr size_t kWorthAThread = size_t{1} << 14;
  size_t slices =
      std::bit_floor(std::min<size_t>(resolve_jobs(jobs), items.size() / kWorthAThread));
  if (slices < 2) return std::sort(items.begin(), items.end(), less);
  auto at = [&](size_t slice) {
    return items.begin() + static_cast<std::ptrdiff_t>(items.size() * slice / slices);
  };
  parallel_for(slices, jobs, [&](size_t i) { std::sort(at(i), at(i + 1), less); });
  for (size_t width = 1; width < slices; width *= 2)
    parallel_for(slices / (2 * width), jobs, [&](size_t i) {
      size_t first = 2 * width * i;
      std::inplace_merge(at(first), at(first + width), at(first + 2 * width), less);
    });
}

}  // namespace pgo
