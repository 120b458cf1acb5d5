#include "pgo/code/function_symbols.h"

#include <algorithm>
#include <tuple>

namespace pgo {
namespace {

// "f" of "f.cold", "f.cold.1" and BOLT's "f.warm"; empty for what is whole.
std::string_view whole_name(std::string_view name) {
  std::string_view whole = name.substr(0, name.find_last_not_of("0123456789") + 1);
  if (whole.size() < name.size() && whole.ends_with('.')) name = whole.substr(0, whole.size() - 1);
  constexpr std::string_view kCold = ".cold", kWarm = ".warm";
  static_assert(kCold.size() == kWarm.size());
  if (!name.ends_with(kCold) && !name.ends_with(kWarm)) return {};
  return name.substr(0, name.size() - kCold.size());
}

}  // namespace

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
  find_parts(all);
}

// By all names: those of one address are one function's.
void FunctionSymbols::find_parts(const std::vector<FunctionSymbol>& all) {
  std::map<std::string_view, std::vector<ElfAddr>> wholes;
  for (const FunctionSymbol& function : functions_)
    if (std::string_view name = whole_name(function.name); !name.empty()) wholes[name];
  if (wholes.empty()) return;
  for (const FunctionSymbol& function : all)
    if (auto found = wholes.find(function.name);
        found != wholes.end() && (found->second.empty() || found->second[0] != function.begin))
      found->second.push_back(function.begin);
  for (uint32_t i = 0; i < functions_.size(); i++) {
    auto found = wholes.find(whole_name(functions_[i].name));
    if (found == wholes.end() || found->second.empty()) continue;
    parts_[i] = found->second.size() == 1 ? find_entry(found->second[0]) : std::nullopt;
  }
}

std::optional<uint32_t> FunctionSymbols::entered_by(uint32_t function) const {
  auto part = parts_.find(function);
  return part == parts_.end() ? function : part->second;
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

}  // namespace pgo
