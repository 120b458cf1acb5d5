// Three threads at work at once, each on a part of its own.
#include <cstdio>
#include <thread>

#include "shapes.h"

int main() {
  int64_t sums[3];
  std::thread first([&] { sums[0] = rounds_of_work(15); });
  std::thread second([&] {
    for (int i = 0; i < 200; ++i) sums[1] += static_cast<int64_t>(fibonacci(12));
  });
  std::thread third([&] {
    for (int i = 0; i < 6000; ++i) sums[2] += same_as_other(i * 7919);
  });
  first.join();
  second.join();
  third.join();
  std::printf("%lld %lld %lld\n", static_cast<long long>(sums[0]), static_cast<long long>(sums[1]),
              static_cast<long long>(sums[2]));
}
