#include "pgo/dwarf/symbol_names.h"

#include <algorithm>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/subroutine_walk.h"

namespace pgo {

SymbolNames::SymbolNames(const ElfImage& symbols, UnnamedUnits units) : units_(units) {
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    llvm::StringRef name(symbol.name.data(), symbol.name.size());
    if (!symbol.function || !name.starts_with("_Z")) continue;
    names_.emplace_back(symbol.addr.value, name.split('.').first);  // mangled names have no dot
  }
  // Of several names of one address, the one that sorts first: never the one that came first.
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; }),
               names_.end());
}

bool SymbolNames::apply_to(llvm::DWARFUnit& unit) const {
  return !names_.empty() && (units_ == UnnamedUnits::kAll || is_compiled_by_gcc(unit));
}

llvm::StringRef SymbolNames::name_of(const Subroutine& subroutine) const {
  const Declaration& declaration = subroutine.declaration;
  if (subroutine.is_inlined || !declaration.linkage_name.empty() || declaration.short_name.empty())
    return declaration.name();
  for (const llvm::DWARFAddressRange& range : subroutine.ranges) {
    auto found =
        std::lower_bound(names_.begin(), names_.end(), range.LowPC,
                         [](const auto& name, uint64_t addr) { return name.first < addr; });
    if (found != names_.end() && found->first == range.LowPC) return found->second;
  }
  return declaration.name();
}

}  // namespace pgo
