#include "pgo/dwarf/function_table.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <map>

#include "pgo/base/parallel.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/dwarf/subroutine_walk.h"

namespace pgo {
namespace {

struct Definition {
  llvm::StringRef name;
  FunctionTable::Range range;
};

// The unit that holds the entries: the unit itself, or the split unit that it is a skeleton of.
llvm::DWARFUnit* full_unit(llvm::DWARFUnit& unit) {
  return unit.getNonSkeletonUnitDIE(true).getDwarfUnit();
}

// A symbol's name without what compilers, link-time optimization and BOLT append to the names of
// parts and copies of functions.
llvm::StringRef without_suffixes(llvm::StringRef name) {
  static constexpr llvm::StringRef kSuffixes[] = {".cleanup",    ".destroy",  ".resume", ".cold",
                                                  ".warm",       ".llvm.",    ".part.",  ".isra.",
                                                  ".constprop.", ".lto_priv."};
  return llvm::sampleprof::FunctionSamples::getCanonicalFnName(name, kSuffixes);
}

std::vector<Definition> read_definitions(SubroutineWalk& walk, llvm::DWARFUnit& unit,
                                         uint64_t first_code, const SymbolNames& symbol_names) {
  bool by_symbol = symbol_names.apply_to(unit);
  std::vector<Definition> definitions;
  walk.for_each(unit, [&](const Subroutine& subroutine) {
    if (subroutine.is_inlined || subroutine.declaration.name().empty()) return;
    llvm::StringRef name =
        by_symbol ? symbol_names.name_of(subroutine) : subroutine.declaration.name();
    for (const llvm::DWARFAddressRange& range : subroutine.ranges)
      if (range.LowPC < range.HighPC && range.LowPC >= first_code)
        definitions.push_back({name, {ElfAddr{range.LowPC}, ElfAddr{range.HighPC}}});
  });
  return definitions;
}

}  // namespace

llvm::StringRef FunctionTable::Function::canonical_name() const {
  return llvm::sampleprof::FunctionSamples::getCanonicalFnName(name);
}

FunctionTable::FunctionTable(DebugInfo& debug_info, const ElfImage& image, const ElfImage& symbols,
                             Sources sources, const SymbolNames& symbol_names) {
  read_debug_info(debug_info, image, symbol_names);
  if (sources == Sources::kDebugInfoAndSymbols) add_symbols(symbols);
  mark_entries(symbols);
}

FunctionTable::FunctionTable(const ElfImage& symbols) {
  add_symbols(symbols);
  mark_entries(symbols);
}

void FunctionTable::read_debug_info(DebugInfo& debug_info, const ElfImage& image,
                                    const SymbolNames& symbol_names) {
  constexpr uint64_t kPageMask = ~uint64_t{0xfff};
  uint64_t first_code = 0;
  for (const ElfImage::Segment& segment : image.segments())
    if (segment.executable) {
      first_code = segment.addr.value & kPageMask;
      break;
    }

  // Units in slices, a few for each thread; the slices' results are put together in file order,
  // split units after all others.
  size_t threads = debug_info.context_count();
  size_t unit_count = debug_info.units(0).size();
  std::vector<std::vector<Definition>> by_unit(unit_count), by_split_unit(unit_count);
  std::vector<std::string> missing(unit_count);
  std::atomic<size_t> next{0};
  EntryBudget budget(debug_info.entry_limit());
  parallel_for(threads, static_cast<unsigned>(threads), [&](size_t thread) {
    SubroutineWalk walk(debug_info.context(thread), debug_info.damage(), budget);
    for (size_t i = next++; i < unit_count; i = next++) {
      llvm::DWARFUnit& unit = *debug_info.units(thread)[i];
      by_unit[i] = read_definitions(walk, unit, first_code, symbol_names);
      llvm::DWARFUnit* full = full_unit(unit);
      if (full == nullptr || full == &unit) {
        missing[i] = missing_split_file(unit, debug_info.damage());
        continue;
      }
      SubroutineWalk split_walk(debug_info.context(thread), debug_info.damage(), budget);
      by_split_unit[i] = read_definitions(split_walk, *full, first_code, symbol_names);
    }
  });

  if (budget.is_used_up()) by_unit.clear(), by_split_unit.clear();
  std::erase(missing, "");
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  missing_split_files_ = std::move(missing);
  for (const auto* units : {&by_unit, &by_split_unit})
    for (const std::vector<Definition>& definitions : *units)
      for (const Definition& definition : definitions) {
        uint32_t number = number_of(definition.name);
        functions_[number].ranges.push_back(definition.range);
        starts_.push_back({definition.range.begin, definition.range.end, number});
      }
  keep_first_starts();
}

uint32_t FunctionTable::number_of(llvm::StringRef name) {
  auto [found, is_new] =
      number_by_name_.try_emplace(name, static_cast<uint32_t>(functions_.size()));
  if (is_new) functions_.push_back({name, {}});
  return found->second;
}

// In the order of the symbols, each by what is known when its turn comes: llvm-profgen's rule.
void FunctionTable::add_symbols(const ElfImage& symbols) {
  std::map<ElfAddr, Start> added;  // by begin
  auto find_known = [&](ElfAddr addr) {
    const Start* known = find_start(addr);
    auto after = added.upper_bound(addr);
    if (after != added.begin() && addr < std::prev(after)->second.end &&
        (known == nullptr || known->begin < std::prev(after)->first))
      known = &std::prev(after)->second;
    return known;
  };
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    if (!symbol.function || symbol.indirect || symbol.size == 0) continue;
    llvm::StringRef name = without_suffixes({symbol.name.data(), symbol.name.size()});
    const Start* known = find_known(symbol.addr);
    if (known == nullptr) {
      Range range{symbol.addr, ElfAddr{saturating_add(symbol.addr.value, symbol.size)}};
      uint32_t number = number_of(name);
      functions_[number].symbols = Symbols::kOnly;
      functions_[number].ranges.push_back(range);
      added.try_emplace(range.begin, Start{range.begin, range.end, number});
    } else if (name != functions_[known->function].name) {
      functions_[known->function].symbols = Symbols::kOtherName;
      other_names_.emplace_back(known->function, name);
    }
  }
  for (const auto& [begin, start] : added) starts_.push_back(start);
  keep_first_starts();
}

void FunctionTable::keep_first_starts() {
  std::stable_sort(starts_.begin(), starts_.end(),
                   [](const Start& a, const Start& b) { return a.begin < b.begin; });
  starts_.erase(std::unique(starts_.begin(), starts_.end(),
                            [](const Start& a, const Start& b) { return a.begin == b.begin; }),
                starts_.end());
}

void FunctionTable::mark_entries(const ElfImage& symbols) {
  // A function in one piece is entered wherever it starts; of one in several pieces, only the one
  // that bears its name is the entry, not a .cold part; any one, when symbols have other names.
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    const ElfImage::Section& section = symbols.sections()[symbol.section];
    if (!section.executable || section.name == ".plt") continue;
    std::optional<size_t> index = index_of_start(symbol.addr);
    if (!index) continue;
    Start& start = starts_[*index];
    if (start.is_entry) continue;
    const Function& function = functions_[start.function];
    start.is_entry = function.ranges.size() == 1 || function.symbols != Symbols::kAgrees ||
                     llvm::sampleprof::FunctionSamples::getCanonicalFnName(
                         llvm::StringRef(symbol.name.data(), symbol.name.size())) == function.name;
  }
}

std::optional<size_t> FunctionTable::index_of_start(ElfAddr addr) const {
  auto after = std::upper_bound(starts_.begin(), starts_.end(), addr,
                                [](ElfAddr a, const Start& start) { return a < start.begin; });
  if (after == starts_.begin() || addr >= std::prev(after)->end) return std::nullopt;
  return static_cast<size_t>(std::prev(after) - starts_.begin());
}

const FunctionTable::Start* FunctionTable::find_start(ElfAddr addr) const {
  std::optional<size_t> index = index_of_start(addr);
  return index ? &starts_[*index] : nullptr;
}

std::vector<RangeCount> FunctionTable::executed_ranges(const std::vector<RangeCount>& ranges,
                                                       const CodeMap& map) const {
  std::vector<bool> ran(functions_.size());
  for (const RangeCount& range : ranges)
    if (std::optional<uint32_t> function = find(range.first)) ran[*function] = true;
  std::vector<RangeCount> code;
  for (size_t i = 0; i < ran.size(); i++)
    if (ran[i])
      for (const Range& range : functions_[i].ranges)
        if (range.begin < map.end())
          code.push_back({range.begin, ElfAddr{std::min(range.end, map.end()).value - 1}, 0});
  return code;
}

std::optional<uint32_t> FunctionTable::find(ElfAddr addr) const {
  const Start* start = find_start(addr);
  if (start == nullptr) return std::nullopt;
  return start->function;
}

std::optional<uint32_t> FunctionTable::find_entry(ElfAddr addr) const {
  const Start* start = find_start(addr);
  if (start == nullptr || start->begin != addr || !start->is_entry) return std::nullopt;
  return start->function;
}

}  // namespace pgo
