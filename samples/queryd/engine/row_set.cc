#include "engine/row_set.h"

#include <algorithm>

namespace queryd {
namespace {

constexpr uint32_t kFree = ~uint32_t{0};

}  // namespace

RowSet::RowSet(Arena& arena, size_t width)
    : width_(width),
      values_(arena.list<Value>()),
      hashes_(arena.list<uint64_t>()),
      numbers_(16, kFree, arena.memory()) {}

RowSet::Found RowSet::add(std::span<const Value> values) {
  uint64_t hash = 0;
  for (const Value& value : values) hash = mix(hash, value.hash());
  size_t mask = numbers_.size() - 1, at = hash & mask;
  for (; numbers_[at] != kFree; at = (at + 1) & mask) {
    uint32_t number = numbers_[at];
    if (hashes_[number] == hash &&
        std::equal(values.begin(), values.end(), row(number).begin(),
                   [](const Value& a, const Value& b) { return compare(a, b) == 0; }))
      return {number, false};
  }
  uint32_t number = static_cast<uint32_t>(size());
  numbers_[at] = number;
  hashes_.push_back(hash);
  values_.insert(values_.end(), values.begin(), values.end());
  if (size() > numbers_.size() / 2) grow();
  return {number, true};
}

void RowSet::grow() {
  size_t mask = numbers_.size() * 2 - 1;
  numbers_.assign(mask + 1, kFree);
  for (uint32_t number = 0; number < size(); number++) {
    size_t at = hashes_[number] & mask;
    while (numbers_[at] != kFree) at = (at + 1) & mask;
    numbers_[at] = number;
  }
}

}  // namespace queryd
