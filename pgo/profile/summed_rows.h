// SummedRows: one table of a build while profiles are merged: rows by key, each with the exact sums
// of its counts.
//
// Problem: many small tables are added to a large one. The one hard idea: all rows are sorted but
// for a tail of new ones. The rows of a small table, which are sorted, too, are looked up by their
// first address (AddressDirectory): what is found is added where it is, and what is not goes to the
// tail. The tail is sorted in when it reaches an eighth of the rest. A large table is merged row by
// row. Cost: O(1) for each row that was seen before, or O(log) where addresses crowd; linear for
// all others, in all, but for sorting the tails. Rejected: a table of hashes, which a large
// profile, sorted already, would only be slowed by.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pgo/base/neighbours.h"
#include "pgo/profile/address_directory.h"
#include "pgo/profile/address_keys.h"
#include "pgo/profile/merge_factor.h"
#include "pgo/profile/sorted_counts.h"
#include "pgo/profile/wide_sum.h"

namespace pgo {

template <typename Row>
class SummedRows {
 public:
  // Sorted rows are added in the ways above; others are sorted first.
  void add(const std::vector<Row>& rows, MergeFactor factor) {
    const bool is_sorted = is_sorted_unique(rows, [](const Row& row) { return key(row); });
    if (is_sorted && rows.size() >= rows_.size() / 4) return merge_in(rows, factor);
    if (is_sorted)
      add_found(rows, factor);
    else
      for (const Row& row : rows) push(row, factor);
    if (rows_.size() - sorted_ > sorted_ / 8) sort_tail_in();
  }

  void add(SummedRows&& other) {
    if (rows_.empty()) {
      *this = std::move(other);
      return;
    }
    sort_tail_in();
    other.sort_tail_in();
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
    sort_tail_in();
  }

  // Sorted. Rows that come to 0 are left out.
  std::vector<Row> finish() && {
    sort_tail_in();
    std::vector<Row> rows;
    for (const Summed& summed : rows_) {
      auto counts = counts_of(summed.row);
      for (size_t i = 0; i < counts.size(); i++) counts[i] = rounded(summed.sums[i]);
      // A PC sample without a weight still is a sample.
      if (std::all_of(counts.begin(), counts.end(), [](uint64_t count) { return count == 0; }))
        continue;
      rows.push_back(summed.row);
      set_counts(rows.back(), counts);
    }
    rows_ = {};
    return rows;
  }

 private:
  struct Summed {
    Row row;  // only its key is used
    std::array<WideSum, kCountsOf<Row>> sums{};

    void add(const Row& of, MergeFactor factor) {
      const auto counts = counts_of(of);
      for (size_t i = 0; i < counts.size(); i++)
        sums[i] = add_up(sums[i], scaled(counts[i], factor));
    }
  };
  // What rows are sorted by first; of nothing, the largest number.
  static uint64_t first_address(const Row& row) {
    const auto& first = std::get<0>(key(row));
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(first)>, OptElfAddr>)
      return first ? (*first).value : ~uint64_t{0};
    else
      return first.value;
  }

  void push(const Row& row, MergeFactor factor) {
    rows_.push_back({row, {}});
    rows_.back().add(row, factor);
  }

  void add_found(const std::vector<Row>& rows, MergeFactor factor) {
    if (directory_.size() != sorted_) {
      std::vector<uint64_t> addresses;
      addresses.reserve(sorted_);
      for (size_t i = 0; i < sorted_; i++) addresses.push_back(first_address(rows_[i].row));
      directory_ = AddressDirectory(std::move(addresses));
    }
    // Where to look for each: by the time that it is looked at, the memory is on its way.
    places_.clear();
    size_t at = 0;
    for (const Row& row : rows) {
      at = directory_.find(first_address(row), at);
      places_.push_back(at);
      // A row and its sums may be in two lines of the cache.
      const auto* bytes = reinterpret_cast<const char*>(rows_.data() + at);
      __builtin_prefetch(bytes, 1);
      __builtin_prefetch(bytes + sizeof(Summed) - 1, 1);
    }
    size_t place = 0;
    for (size_t i = 0; i < rows.size(); i++) {
      const Row& row = rows[i];
      const Summed* found =
          skip_less(rows_.data() + std::max(place, places_[i]), rows_.data() + sorted_,
                    [&](const Summed& one) { return key(one.row) < key(row); });
      place = static_cast<size_t>(found - rows_.data());
      if (place < sorted_ && key(found->row) == key(row))
        rows_[place].add(row, factor);
      else
        push(row, factor);
    }
  }

  // Into as much memory as that needs.
  void merge_in(const std::vector<Row>& rows, MergeFactor factor) {
    sort_tail_in();
    size_t size = 0;
    walk(rows, [&](const Summed*, const Row*) { size++; });
    std::vector<Summed> merged;
    merged.reserve(size);
    walk(rows, [&](const Summed* sum, const Row* row) {
      merged.push_back(sum != nullptr ? *sum : Summed{*row, {}});
      if (row != nullptr) merged.back().add(*row, factor);
    });
    rows_ = std::move(merged);
    sorted_ = rows_.size();
    directory_ = {};
  }

  // Calls take(sum, row) with what is next of both, by key; null where one has none.
  template <typename Take>
  void walk(const std::vector<Row>& rows, const Take& take) const {
    auto sum = rows_.begin();
    auto row = rows.begin();
    while (sum != rows_.end() || row != rows.end()) {
      bool of_sums = row == rows.end() || (sum != rows_.end() && !(key(*row) < key(sum->row)));
      bool of_rows = sum == rows_.end() || (row != rows.end() && !(key(sum->row) < key(*row)));
      take(of_sums ? &*sum++ : nullptr, of_rows ? &*row++ : nullptr);
    }
  }

  void sort_tail_in() {
    if (sorted_ == rows_.size()) return;
    auto is_less = [](const Summed& a, const Summed& b) { return key(a.row) < key(b.row); };
    const auto tail = rows_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    if (!std::is_sorted(tail, rows_.end(), is_less)) std::sort(tail, rows_.end(), is_less);
    std::inplace_merge(rows_.begin(), tail, rows_.end(), is_less);
    merge_neighbours(
        rows_, [](const Summed& a, const Summed& b) { return key(a.row) == key(b.row); },
        [](Summed& into, const Summed& from) {
          for (size_t i = 0; i < into.sums.size(); i++)
            into.sums[i] = add_up(into.sums[i], from.sums[i]);
        });
    sorted_ = rows_.size();
    directory_ = {};
  }

  std::vector<Summed> rows_;  // sorted ones, each key once; then the tail
  size_t sorted_ = 0;
  AddressDirectory directory_;  // of the sorted ones, when it was needed
  std::vector<size_t> places_;  // of add_found(), which needs its memory again
};

}  // namespace pgo
