// IdTable: from the ids of a pprof message to positions. Ids are any numbers but 0; most producers
// count from 1, others use hashes. The former are looked up in a vector, the latter in a hash
// table.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "pgo/base/hash.h"

namespace pgo::pprof {

class IdTable {
 public:
  static constexpr uint32_t kMissing = ~uint32_t{0};

  // For `things` ids, at most.
  explicit IdTable(size_t things)
      : dense_(things + 1, kMissing), slots_wanted_(std::bit_ceil(2 * things + 2)) {}

  // False when there is such an id already.
  bool add(uint64_t id, uint32_t position) {
    if (id < dense_.size()) {
      if (dense_[id] != kMissing) return false;
      dense_[id] = position;
      return true;
    }
    if (slots_.empty()) slots_.resize(slots_wanted_);
    Slot& slot = slots_[find_slot(id)];
    if (slot.position != kMissing) return false;
    slot = {id, position};
    return true;
  }

  uint32_t find(uint64_t id) const {
    if (id < dense_.size()) return dense_[id];
    return slots_.empty() ? kMissing : slots_[find_slot(id)].position;
  }

 private:
  struct Slot {
    uint64_t id = 0;
    uint32_t position = kMissing;
  };

  // Of the id, or the free one where it would be.
  size_t find_slot(uint64_t id) const {
    size_t mask = slots_.size() - 1;
    size_t at = mix(id ^ seed_, kHashFactor) & mask;
    while (slots_[at].position != kMissing && slots_[at].id != id) at = (at + 1) & mask;
    return at;
  }

  std::vector<uint32_t> dense_;
  size_t slots_wanted_;
  std::vector<Slot> slots_;
  uint64_t seed_ = process_seed();
};

}  // namespace pgo::pprof
