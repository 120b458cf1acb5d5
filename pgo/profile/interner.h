// Interner: finds the number of a thing that is in a column already. It holds numbers and parts of
// their hashes only; the things stay where they are.
//
//   uint32_t number = names.find_or_add(
//       hash_text(seed, name), [&](uint32_t known) { return column[known] == name; },
//       [&] { column.push_back(name); return column.size() - 1; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pgo {

class Interner {
 public:
  // The number that `is_same` says is this thing's, or the one that `add` returns. `hash` is equal
  // for equal things, and has all of its bits mixed.
  template <typename IsSame, typename Add>
  uint32_t find_or_add(uint64_t hash, const IsSame& is_same, const Add& add) {
    if (used_ * 4 >= slots_.size() * 3) grow();
    uint32_t tag = static_cast<uint32_t>(hash >> 32);
    size_t at = hash & mask_;
    for (; slots_[at].number != kFree; at = (at + 1) & mask_)
      if (slots_[at].tag == tag && is_same(slots_[at].number)) return slots_[at].number;
    uint32_t number = static_cast<uint32_t>(add());
    slots_[at] = {tag, static_cast<uint32_t>(hash), number};
    used_++;
    return number;
  }

 private:
  static constexpr uint32_t kFree = ~uint32_t{0};
  struct Slot {
    uint32_t tag = 0, place = 0;  // the hash's upper and lower half
    uint32_t number = kFree;
  };

  void grow() {
    std::vector<Slot> larger(slots_.empty() ? 64 : 2 * slots_.size());
    mask_ = larger.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.number == kFree) continue;
      size_t at = slot.place & mask_;
      while (larger[at].number != kFree) at = (at + 1) & mask_;
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;
  size_t used_ = 0, mask_ = 0;
};

}  // namespace pgo
