// BranchStackReader: one branch stack into traces. The place where runtime addresses become
// addresses of binaries, where each entry is accounted for, and where LLVM's and BOLT's readings of
// a stack part (TraceReading).
//
// Entries come newest first: entry i-1 was taken right after entry i, so the code from i's target
// up to the source of i-1 ran straight through.
#pragma once

#include <array>
#include <vector>

#include "converters/perf_data/map_tree.h"
#include "converters/perf_data/sample_layout.h"
#include "converters/perf_data/trace_table.h"
#include "pgo/profile/code_map.h"

namespace pgo::perf_data {

class BranchStackReader {
 public:
  // codes[i] is the code of binary i of `maps`.
  BranchStackReader(const MapTree& maps, const std::vector<const CodeMap*>& codes)
      : maps_(maps), codes_(codes) {}

  // Adds the traces of one sample's stack, taken in a process whose mappings are `root`.
  // True when at least one of its entries counts. O(entries).
  bool read(const Sample& sample, MapTree::Root root);

  // Where `addr` lies; for PC samples.
  struct Place {
    uint32_t binary = MapPiece::kNoBinary;
    uint32_t index = TraceKey::kNothing;  // from the start of the binary's code
    Dropped outside = Dropped::kUnmapped;

    bool inside() const { return binary != MapPiece::kNoBinary; }
  };
  Place place(RuntimeAddr addr, MapTree::Root root) {
    use_root(root);
    return resolve(addr);
  }
  bool is_code(const Place& place) const {
    return place.inside() && codes_[place.binary]->at_index(place.index).is_code();
  }

  // To be called once after the last read().
  void finish() {
    traces_.flush();
    mispredicts_.flush();
  }
  const TraceTable& traces() const { return traces_; }
  const TraceTable& mispredicts() const { return mispredicts_; }  // keys without `last`
  const Accounting& branches() const { return branches_; }
  // Why no entry of the last stack counted: the reason of its newest one that is not an unused
  // slot.
  Dropped last_drop() const { return last_drop_; }

 private:
  // Addresses of one piece; the place of an address in it is one subtraction away.
  struct Window {
    RuntimeAddr begin;
    uint64_t size = 0;
    Place first;  // the place of `begin`

    Place place(RuntimeAddr addr) const {
      return {first.binary, first.index + static_cast<uint32_t>(addr - begin), first.outside};
    }
  };
  // The pieces that the addresses of one process fell into last, the latest one in a binary first.
  struct Recent {
    MapTree::Root root = MapTree::kEmpty;
    std::array<Window, 4> windows{};
    unsigned next = 1;
  };
  struct Entry {
    Place from, to;
    bool kernel = false;  // either end
    bool mispredicted = false;
  };

  void use_root(MapTree::Root root);
  Place resolve(RuntimeAddr addr);
  Place resolve_in_tree(RuntimeAddr addr);
  Entry entry(const Sample& sample, size_t i);
  void read_irregular(const Sample& sample, size_t i, const Entry& entry);
  void add_readings(const Sample& sample, size_t i, const Entry& entry, uint32_t binary);
  uint32_t index_in(const Place& place, uint32_t binary) const;
  uint32_t code_in(const Place& place, uint32_t binary) const;
  Dropped reason(const Entry& entry) const;
  void add(const TraceKey& key, bool mispredicted) {
    traces_.add(key);
    if (mispredicted)
      mispredicts_.add({key.from, key.to, TraceKey::kNothing, key.binary_and_reading});
  }

  const MapTree& maps_;
  const std::vector<const CodeMap*>& codes_;
  TraceTable traces_, mispredicts_;
  Accounting branches_;
  Dropped last_drop_ = Dropped::kNoBranches;
  std::array<Recent, 32> recent_by_root_{};
  Recent* recent_ = &recent_by_root_[0];
};

}  // namespace pgo::perf_data
