// A small program of two translation units with what converters trip over: virtual calls, a qsort
// callback (a call from a library), exceptions, recursion, inlined lambdas and templates, equal
// functions, statics of one name in both units, loops that a compiler unrolls and vectorises, and
// code that never runs. Its output depends on nothing but argv[1], the number of rounds.
#pragma once
#include <cstdint>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int64_t area(int64_t scale) const = 0;
};
struct Square : Shape {
  int64_t side;
  explicit Square(int64_t s) : side(s) {}
  int64_t area(int64_t scale) const override;
};
struct Strip : Shape {
  int64_t width, height;
  Strip(int64_t w, int64_t h) : width(w), height(h) {}
  int64_t area(int64_t scale) const override;
};

int64_t checked_divide(int64_t a, int64_t b);  // throws when b is 0
int64_t sum_of_squares(const int* data, int n);
void scale_all(float* data, int n, float by);
uint64_t fibonacci(unsigned n);
int64_t same_as_other(int64_t x);
int64_t other_as_same(int64_t x);
int64_t never_called(int64_t x);
int64_t unreferenced(int64_t x);
int64_t rounds_of_work(int rounds);

template <typename F>
inline int64_t accumulate_over(const std::vector<int>& data, F&& f) {
  int64_t sum = 0;
  for (int value : data) {
    if (value % 7 == 3)
      sum -= f(value);
    else
      sum += f(value);
  }
  return sum;
}
