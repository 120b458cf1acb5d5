#include "pgo/dwarf/symbol_names.h"

#include <algorithm>
#include <tuple>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/subroutine_walk.h"

namespace pgo {
namespace {

bool is_mangled(llvm::StringRef name) { return name.starts_with("_Z"); }

}  // namespace

SymbolNames::SymbolNames(const ElfImage& symbols, UnnamedUnits units) : units_(units) {
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    llvm::StringRef name(symbol.name.data(), symbol.name.size());
    if (!symbol.function || (units == UnnamedUnits::kOfGcc && !is_mangled(name))) continue;
    // Mangled names have no dot.
    names_.emplace_back(symbol.addr.value, is_mangled(name) ? name.split('.').first : name);
  }
  // Of several names of one address, a mangled one, and the one that sorts first: never the one
  // that came first.
  auto key = [](const auto& name) {
    return std::tuple(name.first, !is_mangled(name.second), name.second);
  };
  std::sort(names_.begin(), names_.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  names_.erase(std::unique(names_.begin(), names_.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; }),
               names_.end());
}

bool SymbolNames::apply_to(llvm::DWARFUnit& unit) const {
  return !names_.empty() && (units_ == UnnamedUnits::kAll || is_compiled_by_gcc(unit));
}

llvm::StringRef SymbolNames::name_of(const Subroutine& subroutine) const {
  const Declaration& declaration = subroutine.declaration;
  const bool is_nameless = declaration.short_name.empty();
  if (subroutine.is_inlined || !declaration.linkage_name.empty() ||
      (is_nameless && units_ == UnnamedUnits::kOfGcc))
    return declaration.name();
  for (const llvm::DWARFAddressRange& range : subroutine.ranges) {
    auto found =
        std::lower_bound(names_.begin(), names_.end(), range.LowPC,
                         [](const auto& name, uint64_t addr) { return name.first < addr; });
    if (found != names_.end() && found->first == range.LowPC &&
        (is_nameless || is_mangled(found->second)))
      return found->second;
  }
  return declaration.name();
}

}  // namespace pgo
