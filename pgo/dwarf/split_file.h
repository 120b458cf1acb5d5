// The files that have most of the debug information of units (-gsplit-dwarf): a .dwo file for each
// unit, or one package of them beside the binary (.dwp). LLVM opens them by itself when it is asked
// for a unit's other half, inflates what is compressed in them to any size, and reads the first
// entry of each unit whatever its attributes are. So these files are checked first.
#pragma once

#include <string>
#include <vector>

#include "pgo/dwarf/debug_damage.h"

namespace llvm {
class DWARFUnit;
}  // namespace llvm

namespace pgo {

// The kind of the warning that such a file was not found.
inline constexpr const char* kMissingSplitFile = "missing-split-file";

// For each unit, whether LLVM may be asked for its other half: the unit has none, or the file does
// not exist, or LLVM can read all of the file. What is wrong with a file goes to `damage`. The
// units belong to one binary, and their own entries must be readable (has_readable_entry()). Opens
// each file once, on up to `jobs` threads.
std::vector<bool> have_readable_split_files(const std::vector<llvm::DWARFUnit*>& units,
                                            unsigned jobs, DebugDamage& damage);

// The name of the .dwo file of a unit, when that file does not exist. Empty for a unit without one,
// and for a damaged file, which goes to `damage`.
std::string missing_split_file(llvm::DWARFUnit& unit, DebugDamage& damage);

}  // namespace pgo
