#include "pgo/symbolize/function_table.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>

#include "pgo/base/parallel.h"
#include "pgo/symbolize/subroutine_walk.h"

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

// The .dwo file that a skeleton unit refers to; empty for a unit that is whole.
std::string missing_split_file(llvm::DWARFUnit& unit) {
  if (!unit.getDWOId()) return {};
  return llvm::dwarf::toString(
      unit.getUnitDIE().find({llvm::dwarf::DW_AT_dwo_name, llvm::dwarf::DW_AT_GNU_dwo_name}),
      "a .dwo file");
}

std::vector<Definition> read_definitions(SubroutineWalk& walk, llvm::DWARFUnit& unit,
                                         uint64_t first_code) {
  std::vector<Definition> definitions;
  walk.for_each(unit, [&](const Subroutine& subroutine) {
    if (subroutine.is_inlined || subroutine.declaration.name().empty()) return;
    for (const llvm::DWARFAddressRange& range : subroutine.ranges)
      if (range.LowPC < range.HighPC && range.LowPC >= first_code)
        definitions.push_back(
            {subroutine.declaration.name(), {ElfAddr{range.LowPC}, ElfAddr{range.HighPC}}});
  });
  return definitions;
}

}  // namespace

llvm::StringRef FunctionTable::Function::canonical_name() const {
  return llvm::sampleprof::FunctionSamples::getCanonicalFnName(name);
}

FunctionTable::FunctionTable(DebugInfo& debug_info, const ElfImage& image,
                             const ElfImage& symbols) {
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
  parallel_for(threads, static_cast<unsigned>(threads), [&](size_t thread) {
    SubroutineWalk walk(debug_info.context(thread));
    for (size_t i = next++; i < unit_count; i = next++) {
      llvm::DWARFUnit& unit = *debug_info.units(thread)[i];
      by_unit[i] = read_definitions(walk, unit, first_code);
      llvm::DWARFUnit* full = full_unit(unit);
      if (full == nullptr || full == &unit) {
        missing[i] = missing_split_file(unit);
        continue;
      }
      SubroutineWalk split_walk(debug_info.context(thread));
      by_split_unit[i] = read_definitions(split_walk, *full, first_code);
    }
  });

  std::erase(missing, "");
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  missing_split_files_ = std::move(missing);
  llvm::StringMap<uint32_t> function_by_name;
  for (const auto* units : {&by_unit, &by_split_unit})
    for (const std::vector<Definition>& definitions : *units)
      for (const Definition& definition : definitions) {
        auto [found, is_new] =
            function_by_name.try_emplace(definition.name, static_cast<uint32_t>(functions_.size()));
        if (is_new) functions_.push_back({definition.name, {}});
        functions_[found->second].ranges.push_back(definition.range);
        starts_.push_back({definition.range.begin, definition.range.end, found->second});
      }
  std::stable_sort(starts_.begin(), starts_.end(),
                   [](const Start& a, const Start& b) { return a.begin < b.begin; });
  starts_.erase(std::unique(starts_.begin(), starts_.end(),
                            [](const Start& a, const Start& b) { return a.begin == b.begin; }),
                starts_.end());

  mark_entries(symbols);
}

void FunctionTable::mark_entries(const ElfImage& symbols) {
  // A function in one piece is entered wherever it starts; of one in several pieces, only the one
  // that bears its name is the entry, not a .cold part.
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    const ElfImage::Section& section = symbols.sections()[symbol.section];
    if (!section.executable || section.name == ".plt") continue;
    auto* start = const_cast<Start*>(find_start(symbol.addr));
    if (start == nullptr || start->is_entry) continue;
    const Function& function = functions_[start->function];
    start->is_entry = function.ranges.size() == 1 ||
                      llvm::sampleprof::FunctionSamples::getCanonicalFnName(
                          llvm::StringRef(symbol.name.data(), symbol.name.size())) == function.name;
  }
}

const FunctionTable::Start* FunctionTable::find_start(ElfAddr addr) const {
  auto after = std::upper_bound(starts_.begin(), starts_.end(), addr,
                                [](ElfAddr a, const Start& start) { return a < start.begin; });
  if (after == starts_.begin() || addr >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
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
