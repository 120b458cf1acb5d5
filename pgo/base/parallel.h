// parallel_for: the only threading in this project. Each index is handled by exactly one thread;
// a caller that fills slot i for index i and merges the slots in index order is deterministic.
#pragma once

#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace pgo {

// Threads that `jobs` asks for: itself, or every core this process may use for 0.
unsigned resolve_jobs(unsigned jobs);

// Calls body(i) for every i in [0, n), on up to `jobs` threads (0: all cores), the caller's own
// among them; on fewer when the system refuses more. `body` must not throw.
template <typename Body>
void parallel_for(size_t n, unsigned jobs, const Body& body) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next.fetch_add(1); i < n; i = next.fetch_add(1)) body(i);
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
}

}  // namespace pgo
