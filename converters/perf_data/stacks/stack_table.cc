#include "converters/perf_data/stacks/stack_table.h"

#include <algorithm>

#include "pgo/profile/accounting.h"

namespace pgo::perf_data {

StackTable::PlaceId StackTable::add_place(const CodePlace& place) {
  return place_numbers_.find_or_add(
      hash_more(hash_more(seed_, place.at), place.file),
      [&](uint32_t known) { return places_[known] == place; },
      [&] {
        places_.push_back(place);
        return places_.size() - 1;
      });
}

void StackTable::count(const Row& row) {
  uint64_t hash = hash_more(seed_, row.label);
  for (PlaceId place : row.stack) hash = hash_more(hash, place);
  uint32_t number = row_numbers_.find_or_add(
      hash,
      [&](uint32_t known) {
        std::span<const uint32_t> other = rows_[known];
        return other[0] == row.label && std::ranges::equal(other.subspan(1), row.stack);
      },
      [&] {
        rows_.push(row.label);
        for (PlaceId place : row.stack) rows_.push(place);
        rows_.end_list();
        counts_.push_back({});
        return counts_.size() - 1;
      });
  Count& sum = counts_[number];
  sum.samples = saturating_add(sum.samples, row.samples);
  sum.weight = saturating_add(sum.weight, row.weight);
}

void StackTable::add(const StackTable& other) {
  std::vector<PlaceId> here;  // by number there
  here.reserve(other.places_.size());
  for (const CodePlace& place : other.places_) here.push_back(add_place(place));
  std::vector<PlaceId> stack;
  for (size_t i = 0; i < other.size(); i++) {
    Row row = other[i];
    stack.clear();
    for (PlaceId place : row.stack) stack.push_back(here[place]);
    row.stack = stack;
    count(row);
  }
}

StackTable::Row StackTable::operator[](size_t row) const {
  std::span<const uint32_t> list = rows_[row];
  return {list[0], list.subspan(1), counts_[row].samples, counts_[row].weight};
}

}  // namespace pgo::perf_data
