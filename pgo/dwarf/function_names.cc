#include "pgo/dwarf/function_names.h"

#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <string>

#include "pgo/base/parallel.h"
#include "pgo/code/demangled_name.h"
#include "pgo/dwarf/static_names.h"
#include "pgo/dwarf/subroutine_walk.h"

namespace pgo {
namespace {

// A function as a unit has it; two names where symbols know it by another one.
struct UnitFunction {
  llvm::StringRef name, scoped_name;
  uint32_t decl_line = 0;
};

// Compilers add what begins with a dot; demangled names have dots in their parameters.
llvm::StringRef stem_of(llvm::StringRef name) {
  if (!name.contains('(')) name = name.take_front(name.find('.', 1));
  return static_stem(name);
}

std::vector<UnitFunction> read_unit(DebugInfo& debug_info, size_t thread, size_t number,
                                    const SymbolNames& symbol_names, EntryBudget& budget) {
  llvm::DWARFUnit& unit = *debug_info.units(thread)[number];
  bool by_symbol = symbol_names.apply_to(unit);
  SubroutineWalk walk(debug_info.context(thread), debug_info.damage(), budget);
  llvm::DWARFUnit* full = unit.getNonSkeletonUnitDIE(true).getDwarfUnit();
  std::vector<UnitFunction> functions;
  // Names are compared by where they are: entries of a unit share strings.
  llvm::DenseSet<std::pair<const char*, uint32_t>> known;
  walk.for_each(full == nullptr ? unit : *full, [&](const Subroutine& subroutine) {
    if (subroutine.ranges.empty()) return;
    llvm::StringRef scoped = subroutine.declaration.name();
    llvm::StringRef name = by_symbol ? symbol_names.name_of(subroutine) : scoped;
    if (!name.empty() && known.insert({name.data(), subroutine.declaration.line}).second)
      functions.push_back({name, scoped, subroutine.declaration.line});
  });
  return functions;
}

}  // namespace

FunctionNames::FunctionNames(DebugInfo& debug_info, const SymbolNames& symbol_names)
    : jobs_(static_cast<unsigned>(debug_info.context_count())) {
  std::vector<std::vector<UnitFunction>> units(debug_info.units(0).size());
  EntryBudget budget(debug_info.entry_limit());
  parallel_for_by_thread(units.size(), jobs_, [&](size_t thread, size_t i) {
    units[i] = read_unit(debug_info, thread, i, symbol_names, budget);
  });
  if (budget.is_used_up()) units.clear();

  llvm::StringMap<uint32_t> lines;
  for (const std::vector<UnitFunction>& unit : units)
    for (const UnitFunction& function : unit) {
      auto [found, is_new] = lines.try_emplace(function.name, function.decl_line);
      if (is_new)
        functions_.push_back({function.name, 0});
      else if (found->second != function.decl_line)
        found->second = 0;
    }
  std::sort(functions_.begin(), functions_.end(),
            [](const Function& a, const Function& b) { return a.name < b.name; });
  for (uint32_t i = 0; i < functions_.size(); i++) {
    Function& function = functions_[i];
    function.decl_line = lines[function.name];
    number_by_name_[function.name] = i;
    by_stem_[stem_of(function.name)].push_back(i);
  }
  for (const std::vector<UnitFunction>& unit : units)
    for (const UnitFunction& function : unit)
      if (function.scoped_name != function.name)
        by_stem_[stem_of(function.scoped_name)].push_back(number_by_name_[function.name]);
  for (auto& stem : by_stem_) {
    std::vector<uint32_t>& numbers = stem.second;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
}

void FunctionNames::demangle_all() {
  is_demangled_ = true;
  std::vector<std::pair<std::string, std::string>> names(functions_.size());
  parallel_for(names.size(), jobs_, [&](size_t i) {
    llvm::StringRef name = functions_[i].name;
    name = without_unique_suffix(name).take_front(name.find('.', 1));
    names[i].first = demangled_name({name.data(), name.size()});
    names[i].second = simple_name(names[i].first);
  });
  for (uint32_t i = 0; i < names.size(); i++) {
    by_demangled_[names[i].first].push_back(i);
    by_simple_[names[i].second].push_back(i);
  }
}

std::optional<uint32_t> FunctionNames::number_of(llvm::StringRef linkage_name) const {
  auto found = number_by_name_.find(linkage_name);
  if (found == number_by_name_.end()) return std::nullopt;
  return found->second;
}

const std::vector<uint32_t>& FunctionNames::of(const Numbers& numbers, llvm::StringRef name) {
  static const std::vector<uint32_t> kNone;
  auto found = numbers.find(name);
  return found == numbers.end() ? kNone : found->second;
}

FunctionNames::Meaning FunctionNames::find(std::string_view text) {
  llvm::StringRef name(text.data(), text.size());
  const std::vector<uint32_t>& by_stem = of(by_stem_, stem_of(name));
  if (auto found = number_by_name_.find(name); found != number_by_name_.end())
    return {{&found->second, 1}, by_stem};
  // What is mangled is not what people write.
  if (!by_stem.empty() || name.empty() || name.starts_with("_Z") || name.starts_with("_R"))
    return {by_stem, by_stem};
  if (!is_demangled_) demangle_all();
  const std::vector<uint32_t>& by_simple = of(by_simple_, simple_name(text));
  const std::vector<uint32_t>& by_demangled = of(by_demangled_, name);
  return {by_demangled.empty() ? by_simple : by_demangled, by_simple};
}

}  // namespace pgo
