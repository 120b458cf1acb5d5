// RowSet: rows of values that differ from one another, numbered from 0 as they come: what grouping
// and leaving out duplicates are made of.
#pragma once

#include <cstdint>
#include <span>

#include "engine/arena.h"
#include "engine/value.h"

namespace queryd {

class RowSet {
 public:
  RowSet(Arena& arena, size_t width);

  // The number of the row with these values, and whether it is new. O(width).
  struct Found {
    uint32_t number;
    bool is_new;
  };
  Found add(std::span<const Value> values);

  size_t size() const { return hashes_.size(); }
  std::span<const Value> row(uint32_t number) const {
    return {values_.data() + number * width_, width_};
  }

 private:
  void grow();

  size_t width_;
  List<Value> values_;      // row after row
  List<uint64_t> hashes_;   // by number
  List<uint32_t> numbers_;  // open addressing; a power of two of them
};

}  // namespace queryd
