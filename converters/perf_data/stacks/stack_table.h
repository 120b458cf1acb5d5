// StackTable: counts stacks while samples are read. One per thread; added up at the end.
//
// Many samples have few distinct stacks, and those few distinct addresses. So a place in the code
// becomes a number when it is first seen, a stack is a list of such numbers with a label before
// them, and what is looked up for a sample is short. Numbers say when a thread first saw something:
// nothing of them may reach an output.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "converters/perf_data/stacks/code_places.h"
#include "pgo/base/flat_lists.h"
#include "pgo/base/hash.h"
#include "pgo/profile/interner.h"

namespace pgo::perf_data {

class StackTable {
 public:
  using PlaceId = uint32_t;
  struct Row {
    uint32_t label = 0;
    std::span<const PlaceId> stack;  // leaf first
    uint64_t samples = 0, weight = 0;
  };

  PlaceId add_place(const CodePlace& place);
  // Adds to what is counted of this stack with this label.
  void count(const Row& row);
  // Adds what another thread has counted.
  void add(const StackTable& other);

  const std::vector<CodePlace>& places() const { return places_; }
  // In no meaningful order; each label and stack once.
  size_t size() const { return counts_.size(); }
  Row operator[](size_t row) const;

 private:
  struct Count {
    uint64_t samples = 0, weight = 0;
  };

  std::vector<CodePlace> places_;
  FlatLists<uint32_t> rows_;  // the label, then the stack
  std::vector<Count> counts_;
  Interner place_numbers_, row_numbers_;
  // The process's own, so that no recording can be written to make all keys collide.
  uint64_t seed_ = process_seed();
};

}  // namespace pgo::perf_data
