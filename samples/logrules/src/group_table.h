// GroupTable: text -> count, sum and largest value, an open hash table with linear probing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logrules {

struct Group {
  std::string name;
  uint64_t hash = 0, count = 0, sum = 0, largest = 0;
};

class GroupTable {
 public:
  GroupTable() : slots_(64) {}

  void add(std::string_view name, uint64_t value);
  // By count, then by name.
  std::vector<Group> sorted() const;

 private:
  Group& find(std::string_view name, uint64_t hash);
  void grow();

  std::vector<Group> slots_;  // a power of two of them; free ones have count 0
  size_t used_ = 0;
};

}  // namespace logrules
