// Whether LLVM may read the line table of a unit (.debug_line): its reader looks up each form that
// the header of a table of version 5 names, without asking whether it knows it, and takes an index
// out of a value that has none; and it keeps 32 bytes of each row, which a byte can make.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgo/dwarf/entry_budget.h"

namespace llvm {
class DWARFUnit;
}  // namespace llvm

namespace pgo {

// What is wrong with the header of the unit's line table, so that LLVM must not be asked for it:
// "the header at offset 0x0 uses …"; or that the table is longer than `limit`, or that the tables
// so far, which `budget` adds up, are. Nothing where LLVM can read it, or says itself that it
// cannot. The unit's own entry must be readable (has_readable_entry()). O(bytes of the header).
std::optional<std::string> line_header_fault(llvm::DWARFUnit& unit, uint64_t limit,
                                             EntryBudget& budget);

// Where the header of the unit's line table is in the unit's line section, if it has one.
std::optional<uint64_t> find_line_table(llvm::DWARFUnit& unit);

}  // namespace pgo
