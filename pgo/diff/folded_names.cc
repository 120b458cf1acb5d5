#include "pgo/diff/folded_names.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "pgo/diff/clone_suffix.h"

namespace pgo {
namespace {

// Groups of names that are one, each with a name that leads to the first of its group.
class NameGroups {
 public:
  void join(const std::string& a, const std::string& b) {
    std::string first = find(a), second = find(b);
    if (first == second) return;
    if (second < first) std::swap(first, second);
    leads_to_[second] = first;
  }

  FoldedNames all() {
    FoldedNames groups;
    for (const auto& [name, next] : std::exchange(leads_to_, {})) {
      leads_to_[name] = next;
      groups[name] = "";
    }
    for (auto& [name, first] : groups) first = find(name);
    return groups;
  }

 private:
  std::string find(const std::string& name) {
    std::string at = name;
    for (auto next = leads_to_.find(at); next != leads_to_.end(); next = leads_to_.find(at))
      at = next->second;
    if (at != name) leads_to_[name] = at;
    return at;
  }

  FoldedNames leads_to_;
};

}  // namespace

FoldedNames folded_names(const std::vector<const ElfImage*>& images) {
  NameGroups groups;
  for (const ElfImage* image : images) {
    std::vector<const ElfImage::Symbol*> functions;
    for (const ElfImage::Symbol& symbol : image->symbols())
      if (symbol.function && symbol.size > 0 && !symbol.name.empty()) functions.push_back(&symbol);
    std::sort(functions.begin(), functions.end(), [](const auto* a, const auto* b) {
      return std::tie(a->addr, a->size, a->name) < std::tie(b->addr, b->size, b->name);
    });
    for (size_t i = 1; i < functions.size(); i++)
      if (functions[i]->addr == functions[i - 1]->addr &&
          functions[i]->size == functions[i - 1]->size)
        groups.join(std::string(without_clone_suffixes(functions[i - 1]->name)),
                    std::string(without_clone_suffixes(functions[i]->name)));
  }
  return groups.all();
}

}  // namespace pgo
