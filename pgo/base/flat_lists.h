// FlatLists: many short lists in two vectors instead of one vector each. List i is a span into the
// items of all lists; lists are only ever appended.
//
//   FlatLists<int> lists;
//   lists.push(1), lists.push(2), lists.end_list();
//   lists[0].size();  // 2
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pgo {

template <typename T>
class FlatLists {
 public:
  size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  std::span<const T> operator[](size_t list) const {
    return {items_.data() + begin(list), items_.data() + ends_[list]};
  }
  std::span<T> at(size_t list) {
    return {items_.data() + begin(list), items_.data() + ends_[list]};
  }

  void add(std::span<const T> items) {
    items_.insert(items_.end(), items.begin(), items.end());
    end_list();
  }
  // Adds to the list that end_list() will close.
  void push(const T& item) { items_.push_back(item); }
  void end_list() { ends_.push_back(items_.size()); }
  void reserve(size_t lists, size_t items) {
    ends_.reserve(lists);
    items_.reserve(items);
  }

  bool operator==(const FlatLists&) const = default;

 private:
  size_t begin(size_t list) const { return list == 0 ? 0 : ends_[list - 1]; }

  std::vector<T> items_;
  std::vector<uint64_t> ends_;
};

}  // namespace pgo
