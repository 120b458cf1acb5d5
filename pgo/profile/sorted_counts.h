// Vectors of counts that are sorted by key, each key once: how equal keys come together.
//
// `key(item)` is what items are told apart by, something that can be compared (std::tie).
#pragma once

#include <algorithm>
#include <vector>

#include "pgo/base/neighbours.h"
#include "pgo/base/parallel.h"
#include "pgo/profile/accounting.h"

namespace pgo {

template <typename T, typename Key>
bool is_sorted_unique(const std::vector<T>& items, const Key& key) {
  return std::adjacent_find(items.begin(), items.end(), [&](const T& a, const T& b) {
           return !(key(a) < key(b));
         }) == items.end();
}

// Sorts, on `jobs` threads (0: all cores), and lets `absorb(into, from)` add up equal keys.
// O(n log n), O(n) when there is nothing to do.
template <typename T, typename Key, typename Absorb>
void sort_and_merge(std::vector<T>& items, unsigned jobs, const Key& key, const Absorb& absorb) {
  if (is_sorted_unique(items, key)) return;
  parallel_sort(items, jobs, [&](const T& a, const T& b) { return key(a) < key(b); });
  merge_neighbours(items, [&](const T& a, const T& b) { return key(a) == key(b); }, absorb);
}

// The same for items whose `count` is all there is to add up.
template <typename T, typename Key>
void sort_and_sum(std::vector<T>& items, unsigned jobs, const Key& key) {
  sort_and_merge(items, jobs, key, [](T& into, const T& from) {
    into.count = saturating_add(into.count, from.count);
  });
}

}  // namespace pgo
