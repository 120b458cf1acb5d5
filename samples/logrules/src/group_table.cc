#include "group_table.h"

#include <algorithm>

namespace logrules {
namespace {

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

void GroupTable::add(std::string_view name, uint64_t value) {
  uint64_t hash = hash_of(name);
  Group* group = &find(name, hash);
  if (group->count == 0) {
    if (++used_ > slots_.size() / 2) {
      grow();
      group = &find(name, hash);
    }
    group->name = name;
    group->hash = hash;
  }
  group->count++;
  group->sum += value;
  if (value > group->largest) group->largest = value;
}

Group& GroupTable::find(std::string_view name, uint64_t hash) {
  size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    Group& slot = slots_[i];
    if (slot.count == 0 || (slot.hash == hash && slot.name == name)) return slot;
  }
}

void GroupTable::grow() {
  std::vector<Group> old(slots_.size() * 2);
  old.swap(slots_);
  for (Group& group : old)
    if (group.count != 0) find(group.name, group.hash) = std::move(group);
}

std::vector<Group> GroupTable::sorted() const {
  std::vector<Group> groups;
  for (const Group& group : slots_)
    if (group.count != 0) groups.push_back(group);
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return a.count != b.count ? a.count > b.count : a.name < b.name;
  });
  return groups;
}

}  // namespace logrules
