// TraceTable: counts traces while branch stacks are read. One per thread; added up at the end.
//
// Tens of millions of entries go in and some ten thousand distinct traces come out, so the time
// goes into finding the slot: keys are 16 bytes (offsets into the binary's code instead of
// addresses), and the slots of many entries are prefetched before the first is touched. Open
// addressing, linear probing, at most half full.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pgo/profile/address_profile.h"

namespace pgo::perf_data {

// A trace of binary `binary()`; each offset is from the start of the binary's code.
struct TraceKey {
  static constexpr uint32_t kNothing = ~uint32_t{0};

  uint32_t from = kNothing, to = kNothing, last = kNothing;
  uint32_t binary_and_reading = 0;

  static uint32_t pack(uint32_t binary, TraceReading reading) {
    return binary << 2 | static_cast<uint32_t>(reading);
  }
  uint32_t binary() const { return binary_and_reading >> 2; }
  TraceReading reading() const { return static_cast<TraceReading>(binary_and_reading & 3); }
  bool operator==(const TraceKey&) const = default;
};

class TraceTable {
 public:
  struct Slot {
    TraceKey key;
    uint64_t count = 0;  // 0: the slot is free
  };

  TraceTable();

  void add(const TraceKey& key) {
    uint64_t hash = hash_of(key);
    __builtin_prefetch(&slots_[hash & mask_], 1);
    pending_[pending_size_++] = {key, hash};
    if (pending_size_ == pending_.size()) flush();
  }
  // Counts what add() has put off. To be called before slots().
  void flush();
  // Free slots among them, in no meaningful order.
  const std::vector<Slot>& slots() const { return slots_; }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kFirstSize = size_t{1} << 14;

  struct Pending {
    TraceKey key;
    uint64_t hash = 0;
  };

  // The halves of a 128-bit product folded together ("mum" of Wang Yi's wyhash). The seeds are the
  // process's own, so that no recording can be written to make all keys collide; they decide the
  // order of slots, which nothing depends on.
  uint64_t hash_of(const TraceKey& key) const {
    uint64_t a = uint64_t{key.from} << 32 | key.to;
    uint64_t b = uint64_t{key.last} << 32 | key.binary_and_reading;
    __extension__ using Wide = unsigned __int128;
    Wide product = Wide{a ^ seeds_[0]} * (b ^ seeds_[1]);
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  Slot& find(std::vector<Slot>& slots, const TraceKey& key, uint64_t hash) const;
  void grow();

  std::array<uint64_t, 2> seeds_;
  std::vector<Slot> slots_;
  uint64_t mask_;
  size_t size_ = 0;
  std::array<Pending, 64> pending_;
  size_t pending_size_ = 0;
};

}  // namespace pgo::perf_data
