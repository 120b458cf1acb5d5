// Whether LLVM may look at the units of a file (.debug_info): it makes several hundred bytes of
// each unit and of each abbreviation, in every context, and units may name overlapping tables of
// abbreviations.
#pragma once

#include <llvm/Object/ObjectFile.h>

#include <optional>
#include <string>

namespace pgo {

struct UnitHeaders {
  uint64_t units = 0;
  uint64_t longest_table = 0;        // of abbreviations, in bytes
  std::optional<std::string> fault;  // "has more than 20480 units ..."
};

// `stored` is the size of the file, in bytes; each unit needs at least 32 of them. Abbreviations
// are at most half of `object`, which may be larger, being inflated. O(bytes of abbreviations,
// units).
UnitHeaders read_unit_headers(const llvm::object::ObjectFile& object, uint64_t stored);

}  // namespace pgo
