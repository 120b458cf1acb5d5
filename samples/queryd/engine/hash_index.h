// HashIndex: value -> the rows that have it, newest first. Open addressing of the values, and for
// each row the next one of the same value.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "engine/value.h"

namespace queryd {

using RowId = uint32_t;
inline constexpr RowId kNoRow = ~RowId{0};

class HashIndex {
 public:
  explicit HashIndex(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : slots_(16, memory), next_(memory) {}

  // Texts must live as long as the index.
  void add(const Value& key, RowId row);
  // `row` was added with `key`.
  void remove(const Value& key, RowId row);

  RowId first(const Value& key) const;
  RowId next(RowId row) const { return next_[row]; }

 private:
  struct Slot {
    uint64_t hash = 0;
    Value key;
    RowId first = kNoRow;
    bool used = false;  // stays after the last row of a key, until the slots are made anew
  };

  size_t slot_of(const Value& key, uint64_t hash) const;
  void rebuild();

  std::pmr::vector<Slot> slots_;  // a power of two of them
  size_t used_ = 0;
  std::pmr::vector<RowId> next_;  // by row
};

}  // namespace queryd
