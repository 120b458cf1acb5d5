#include "pgo/infer/function_symbols.h"

#include <algorithm>
#include <tuple>

namespace pgo::infer {

FunctionSymbols::FunctionSymbols(const ElfImage& image, const ElfImage& symbols) {
  std::vector<FunctionSymbol> all;
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    if (!symbol.function || symbol.size == 0) continue;
    const ElfImage::Section* section =
        &image == &symbols ? &image.sections()[symbol.section]
                           : image.find_same_section(symbols.sections()[symbol.section]);
    if (section == nullptr || !section->executable || symbol.addr < section->addr) continue;
    std::optional<Bytes> bytes =
        slice(section->bytes, symbol.addr.value - section->addr.value, symbol.size);
    if (!bytes) continue;
    all.push_back({symbol.addr, ElfAddr{symbol.addr.value + symbol.size}, symbol.name, *bytes});
  }
  std::sort(all.begin(), all.end(), [](const FunctionSymbol& a, const FunctionSymbol& b) {
    return std::tie(a.begin, b.end, a.name) < std::tie(b.begin, a.end, b.name);
  });
  for (const FunctionSymbol& function : all)
    if (functions_.empty() || functions_.back().end <= function.begin)
      functions_.push_back(function);
}

std::optional<uint32_t> FunctionSymbols::find(ElfAddr addr) const {
  auto after = std::upper_bound(functions_.begin(), functions_.end(), addr,
                                [](ElfAddr a, const FunctionSymbol& f) { return a < f.begin; });
  if (after == functions_.begin() || std::prev(after)->end <= addr) return std::nullopt;
  return static_cast<uint32_t>(std::prev(after) - functions_.begin());
}

std::optional<uint32_t> FunctionSymbols::find_entry(ElfAddr addr) const {
  std::optional<uint32_t> found = find(addr);
  if (!found || functions_[*found].begin != addr) return std::nullopt;
  return found;
}

}  // namespace pgo::infer
