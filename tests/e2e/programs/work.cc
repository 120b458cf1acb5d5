// The work: containers, lambdas, a sort with a callback, virtual calls, exceptions; see shapes.h.
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "shapes.h"

static int64_t step(int64_t x) { return (x ^ (x >> 3)) + 7; }

static int compare_ints(const void* a, const void* b) {
  int x = *static_cast<const int*>(a), y = *static_cast<const int*>(b);
  return x < y ? -1 : x > y;
}

__attribute__((noinline, cold)) static int64_t complain(const std::exception& e) {
  return static_cast<int64_t>(std::string(e.what()).size());
}

static std::vector<int> fill(int round) {
  std::vector<int> data;
  uint32_t seed = 12345u + static_cast<uint32_t>(round);
  for (int i = 0; i < 400; ++i) {
    seed = seed * 1664525u + 1013904223u;
    data.push_back(static_cast<int>(seed >> 20));
  }
  return data;
}

static int64_t visit(const std::vector<std::unique_ptr<Shape>>& shapes, int round) {
  int64_t sum = 0;
  for (const auto& shape : shapes) sum += shape->area(round % 9);
  return sum;
}

static int64_t divide_all(const std::vector<int>& data) {
  int64_t sum = 0;
  for (int value : data) {
    try {
      sum += checked_divide(100000, value % 50);
    } catch (const std::exception& e) {
      sum += complain(e);
    }
  }
  return sum;
}

static const char* name_of(int64_t kind) {
  switch (kind % 6) {
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two or so";
    case 3: return "three";
    case 4: return "four, at last";
    default: return "many";
  }
}

int64_t rounds_of_work(int rounds) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 24; ++i) {
    if (i % 3)
      shapes.push_back(std::make_unique<Square>(i));
    else
      shapes.push_back(std::make_unique<Strip>(i, i / 2));
  }
  int64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> data = fill(round);
    qsort(data.data(), data.size(), sizeof(int), compare_ints);
    sum += accumulate_over(
        data, [round](int value) { return value > 2000 ? step(value) : value + round; });
    sum += accumulate_over(data, [&](int value) {
      auto twice = [](int64_t x) { return x & 1 ? x * 2 : x + 2; };
      return twice(value) + twice(sum & 255);
    });
    std::vector<float> floats(data.begin(), data.end());
    scale_all(floats.data(), static_cast<int>(floats.size()), 0.5f);
    sum += static_cast<int64_t>(floats[17]) +
           sum_of_squares(data.data(), static_cast<int>(data.size()));
    sum += visit(shapes, round) + divide_all(data) + static_cast<int64_t>(fibonacci(11));
    for (int i = 1; i < 20; ++i)
      sum += same_as_other(round + i * 31) + other_as_same(round + i * 17);
    sum += static_cast<int64_t>(std::string(name_of(sum & 0xffff)).size());
    if (sum == 42) sum = never_called(sum);
  }
  return sum;
}
