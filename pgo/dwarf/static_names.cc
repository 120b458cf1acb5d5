#include "pgo/dwarf/static_names.h"

namespace pgo {

llvm::StringRef without_unique_suffix(llvm::StringRef name) {
  return name.take_front(name.rfind(".__uniq."));
}

llvm::StringRef static_stem(llvm::StringRef name) {
  llvm::StringRef stem = without_unique_suffix(name);
  llvm::StringRef mangled = stem;
  size_t size = 0;
  if (!mangled.consume_front("_ZL") || mangled.consumeInteger(10, size) || size == 0 ||
      size > mangled.size())
    return stem;
  return mangled.take_front(size);
}

void StaticNames::add(llvm::StringRef name) {
  auto [known, is_new] = names_.try_emplace(static_stem(name), name);
  if (!is_new && name < known->second) known->second = name;
}

llvm::StringRef StaticNames::other_name(llvm::StringRef name) const {
  auto found = names_.find(static_stem(name));
  if (found == names_.end() || found->second == name) return {};
  return found->second;
}

}  // namespace pgo
