#include "pgo/verify/multiple_tests.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace pgo::verify {
namespace {

std::vector<size_t> ascending(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<size_t> order = ascending(p);
  std::vector<double> q(p.size());
  auto tests = static_cast<double>(p.size());
  double least = 1;
  for (size_t rank = p.size(); rank > 0; rank--) {
    size_t test = order[rank - 1];
    least = std::min(least, p[test] * (tests / static_cast<double>(rank)));
    q[test] = least;
  }
  return q;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (size_t i = 0; i < order.size(); i++) {
    largest = std::max(largest, p[order[i]] * static_cast<double>(p.size() - i));
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace pgo::verify
