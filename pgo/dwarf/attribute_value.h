// Where the attributes of an entry end, before LLVM is asked for them: its readers take entries
// that go beyond their section, and forms that they do not know, for impossible, and do as they
// like with them. What passes here can be read.
#pragma once

#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include <optional>

namespace pgo {

// Where the value of an attribute ends that begins at `offset` of the unit's section; nothing for
// one that cannot be read. Forms that stand beside the value (DW_FORM_indirect), which no compiler
// writes, cannot. O(1), but for strings.
std::optional<uint64_t> end_of_value(const llvm::DWARFDataExtractor& data,
                                     const llvm::DWARFUnit& unit, llvm::dwarf::Form form,
                                     uint64_t offset);

// Whether LLVM may be asked for the unit's own entry (getUnitDIE()): not where one of its
// attributes cannot be read. It says itself when there is no entry. O(attributes).
bool has_readable_entry(const llvm::DWARFUnit& unit);

}  // namespace pgo
