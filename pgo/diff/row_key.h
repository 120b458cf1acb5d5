// RowKey: what makes a row the same on both sides of a comparison.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "pgo/profile/stack_profile.h"

namespace pgo {

enum class RowsBy { kFunction, kFile, kLine, kBinary, kLabel };

struct RowKey {
  std::string name = {};     // for people; of a file (its path), binary or label, that itself
  std::string linkage = {};  // empty: there is none, or functions are compared by names for people
  std::string binary = {};   // file name; empty: not known
  int64_t line = 0;          // 0: not known, or not by line
  std::string file = {};     // file name of the source; empty: not known

  auto operator<=>(const RowKey&) const = default;
};

// Without what compilers append to names of copies (clone_suffix.h).
struct ComparableName {
  std::string shown;         // demangled
  std::string linkage = {};  // or the name for people, where a profile has nothing else
};
ComparableName comparable_name(const StackProfile& profile, const StackFunction& function);

}  // namespace pgo
