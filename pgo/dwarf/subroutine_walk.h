// Walks the debugging information entries of a compile unit for its subroutines: functions, and
// calls that were inlined into them. Reads .debug_info front to back by its abbreviations, without
// building LLVM's DIE arrays, which never shrink and take most of a symbolizer's time and memory.
#pragma once

#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "pgo/dwarf/debug_damage.h"
#include "pgo/dwarf/entry_budget.h"
#include "pgo/dwarf/file_paths.h"

namespace pgo {

// Where a subroutine was declared; empty or 0 when the debug information does not say.
struct Declaration {
  llvm::StringRef linkage_name, short_name;
  uint32_t line = 0;
  FileNumber file;

  llvm::StringRef name() const { return linkage_name.empty() ? short_name : linkage_name; }
};

// One DW_TAG_subprogram or DW_TAG_inlined_subroutine.
struct Subroutine {
  static constexpr uint32_t kNoParent = ~uint32_t{0};

  bool is_inlined = false;
  uint32_t parent = kNoParent;  // number of the subroutine around this one
  Declaration declaration;      // also through abstract origin and specification
  llvm::DWARFAddressRangesVector ranges;
  uint32_t call_line = 0, call_discriminator = 0;  // of an inlined one, in its caller
};

class SubroutineWalk {
 public:
  // `unit` is a compile unit, or the split unit of a skeleton; one walk may visit several units of
  // a context, and remembers declarations between them. What cannot be read goes to `damage`; so
  // does more than `budget` has, which ends the walk.
  SubroutineWalk(llvm::DWARFContext& context, DebugDamage& damage, EntryBudget& budget)
      : context_(context), damage_(damage), budget_(budget) {}

  // Calls visit(subroutine) for each one in file order, parents before children; the first has
  // number 0. Subroutines without code (declarations, abstract instances) have no ranges.
  // O(bytes of the unit).
  template <typename Visit>
  void for_each(llvm::DWARFUnit& unit, const Visit& visit) {
    visit_unit(unit, [&](const Subroutine& subroutine) { visit(subroutine); });
  }

 private:
  struct Fields;

  void visit_unit(llvm::DWARFUnit& unit, const std::function<void(const Subroutine&)>& visit);
  // Adds the subroutines, and their ranges of code, to `entries`.
  void read_entries(llvm::DWARFUnit& unit, const std::function<void(const Subroutine&)>& visit,
                    uint64_t& entries);
  Fields read_fields(llvm::DWARFUnit& unit, const llvm::DWARFAbbreviationDeclaration& abbreviation,
                     uint64_t& offset);
  Declaration declaration_of(llvm::DWARFUnit& unit, const Fields& fields, unsigned depth);
  Declaration declaration_at(llvm::DWARFUnit& unit, uint64_t offset, unsigned depth);

  void note_damage(llvm::DWARFUnit& unit, uint64_t offset, const char* what);

  llvm::DWARFContext& context_;
  DebugDamage& damage_;
  EntryBudget& budget_;
  // By offset in .debug_info, of the unit that is visited: what a search finds that is cut off at
  // the depth limit depends on where it began, and must not depend on which units this thread
  // visited before.
  std::unordered_map<uint64_t, Declaration> declarations_;
};

}  // namespace pgo
