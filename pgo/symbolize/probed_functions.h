// Between the functions of a binary and its pseudo probes, which go by the hash of linkage names:
// which probes to read for the code that ran, and what functions are called in their words.
#pragma once

#include <vector>

#include "pgo/dwarf/function_table.h"
#include "pgo/elf/probe_table.h"
#include "pgo/profile/code_counts.h"

namespace pgo {

// By number of the function: does a range start in it, or a branch start or end?
std::vector<bool> find_functions_that_ran(const CodeCounts& counts, const FunctionTable& functions);

// The probes of the functions that ran, by every name they have.
ProbeSelection select_probes(const std::vector<bool>& ran, const FunctionTable& functions,
                             const ElfImage& symbols);

// What each function is called in a profile; of those that ran and have symbols of another name,
// what their probes say.
std::vector<llvm::StringRef> name_callees(const std::vector<bool>& ran,
                                          const FunctionTable& functions,
                                          const ProbeFunctions& probe_functions,
                                          const ProbeTable& probes);

}  // namespace pgo
