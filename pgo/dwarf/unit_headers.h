// Whether LLVM may look at the units of a file (.debug_info): it makes several hundred bytes of
// each unit and of each abbreviation, in every context, and units may name overlapping tables of
// abbreviations.
#pragma once

#include <llvm/Object/ObjectFile.h>

#include <optional>
#include <string>

namespace pgo {

// The fault, or nothing: "has more than 20480 units ...". `stored` is the size of the file, in
// bytes; each unit needs at least 32 of them. O(bytes of abbreviations, units).
std::optional<std::string> unit_headers_fault(const llvm::object::ObjectFile& object,
                                              uint64_t stored);

}  // namespace pgo
