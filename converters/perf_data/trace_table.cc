#include "converters/perf_data/trace_table.h"

#include <sys/auxv.h>

#include <cstring>

namespace pgo::perf_data {

TraceTable::TraceTable() : slots_(kFirstSize), mask_(kFirstSize - 1) {
  // 16 random bytes that the kernel gives each process.
  std::memcpy(seeds_.data(), reinterpret_cast<const void*>(::getauxval(AT_RANDOM)), sizeof seeds_);
}

TraceTable::Slot& TraceTable::find(std::vector<Slot>& slots, const TraceKey& key,
                                   uint64_t hash) const {
  uint64_t index = hash & mask_;
  while (slots[index].count != 0 && slots[index].key != key) index = (index + 1) & mask_;
  return slots[index];
}

void TraceTable::flush() {
  for (size_t i = 0; i < pending_size_; i++) {
    const Pending& pending = pending_[i];
    Slot& slot = find(slots_, pending.key, pending.hash);
    if (slot.count == 0) {
      slot.key = pending.key;
      size_++;
    }
    slot.count++;
    if (2 * size_ > slots_.size()) grow();
  }
  pending_size_ = 0;
}

void TraceTable::grow() {
  std::vector<Slot> larger(2 * slots_.size());
  mask_ = larger.size() - 1;
  for (const Slot& slot : slots_)
    if (slot.count != 0) find(larger, slot.key, hash_of(slot.key)) = slot;
  slots_ = std::move(larger);
}

}  // namespace pgo::perf_data
