// merge_neighbours: what equal keys have in common becomes one, in a sorted vector.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace pgo {

// Of neighbours that `same(a, b)` says have one key the first stays, after `absorb(first, other)`
// of each other one, in order. O(items).
template <typename T, typename Same, typename Absorb>
void merge_neighbours(std::vector<T>& items, const Same& same, const Absorb& absorb) {
  size_t kept = 0;
  for (size_t i = 0; i < items.size(); i++) {
    if (kept > 0 && same(items[kept - 1], items[i])) {
      absorb(items[kept - 1], items[i]);
    } else {
      if (kept != i) items[kept] = std::move(items[i]);
      kept++;
    }
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
}

}  // namespace pgo
