#include "engine/hash_index.h"

namespace queryd {

void HashIndex::add(const Value& key, RowId row) {
  uint64_t hash = key.hash();
  size_t at = slot_of(key, hash);
  if (!slots_[at].used) {
    if (++used_ > slots_.size() / 2) {
      rebuild();
      at = slot_of(key, hash);
      used_++;
    }
    slots_[at] = {hash, key, kNoRow, true};
  }
  if (row >= next_.size()) next_.resize(row + 1, kNoRow);
  next_[row] = slots_[at].first;
  slots_[at].first = row;
}

void HashIndex::remove(const Value& key, RowId row) {
  RowId* link = &slots_[slot_of(key, key.hash())].first;
  while (*link != row) link = &next_[*link];
  *link = next_[row];
}

RowId HashIndex::first(const Value& key) const { return slots_[slot_of(key, key.hash())].first; }

size_t HashIndex::slot_of(const Value& key, uint64_t hash) const {
  size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (!slot.used || (slot.hash == hash && compare(slot.key, key) == 0)) return i;
  }
}

// Leaves out keys without rows; leaves three quarters of the slots free.
void HashIndex::rebuild() {
  size_t keys = 0;
  for (const Slot& slot : slots_) keys += slot.first != kNoRow;
  size_t size = 16;
  while (size < keys * 4) size *= 2;
  std::pmr::vector<Slot> old(size, slots_.get_allocator());
  old.swap(slots_);
  used_ = keys;
  for (const Slot& slot : old)
    if (slot.first != kNoRow) slots_[slot_of(slot.key, slot.hash)] = slot;
}

}  // namespace queryd
