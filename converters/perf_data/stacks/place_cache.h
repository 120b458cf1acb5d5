// PlaceCache: numbers of places in code that were looked up before: a program is mostly in few
// places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "converters/perf_data/map_tree.h"
#include "converters/perf_data/stacks/stack_table.h"
#include "pgo/base/hash.h"
#include "pgo/profile/address.h"

namespace pgo::perf_data {

class PlaceCache {
 public:
  // The number that `find` returns for `address` in a process whose mappings are `root`.
  template <typename Find>
  StackTable::PlaceId get(MapTree::Root root, RuntimeAddr address, const Find& find) {
    Entry& entry = entries_[hash_more(root, address.value) >> (64 - kBits)];
    if (entry.root != root || entry.address != address) entry = {address, root, find()};
    return entry.place;
  }

 private:
  static constexpr unsigned kBits = 14;
  static constexpr MapTree::Root kNoRoot = ~MapTree::Root{0};
  struct Entry {
    RuntimeAddr address;
    MapTree::Root root = kNoRoot;
    StackTable::PlaceId place = 0;
  };

  std::vector<Entry> entries_ = std::vector<Entry>(size_t{1} << kBits);
};

}  // namespace pgo::perf_data
