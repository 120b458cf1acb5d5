#include "shapes.h"

#include <stdexcept>

// Not inlined, so that ThinLTO has to give it a name of its own when it imports a caller.
__attribute__((noinline)) static int64_t step(int64_t x) { return x % 3 ? x * 3 + 1 : x / 3; }

int64_t Square::area(int64_t scale) const {
  if (scale > 5) return side * side * scale;
  return side * side;
}

int64_t Strip::area(int64_t scale) const {
  int64_t sum = 0;
  for (int64_t i = 0; i < height; ++i) sum += width + (i & scale);
  return sum;
}

int64_t checked_divide(int64_t a, int64_t b) {
  if (b == 0) throw std::invalid_argument("division by zero");
  return a / b;
}

int64_t sum_of_squares(const int* data, int n) {
  int64_t sum = 0;
  for (int i = 0; i < n; ++i) sum += int64_t{data[i]} * data[i];
  return sum;
}

void scale_all(float* data, int n, float by) {
  for (int i = 0; i < n; ++i) data[i] = data[i] * by + 1.0f;
}

uint64_t fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int64_t same_as_other(int64_t x) {
  int64_t sum = 0;
  while (x > 1) sum += x = step(x) >> 1;
  return sum;
}

int64_t other_as_same(int64_t x) {
  int64_t sum = 0;
  while (x > 1) sum += x = step(x) >> 1;
  return sum;
}

int64_t never_called(int64_t x) {
  for (int i = 0; i < 10; ++i) x = step(x) + i;
  return x;
}

// Nobody refers to this one: a linker that collects garbage drops its code and keeps its debug
// information.
int64_t unreferenced(int64_t x) {
  for (int i = 0; i < 7; ++i) x ^= x << 3;
  return x;
}
