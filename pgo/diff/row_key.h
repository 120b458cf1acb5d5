// RowKey: what makes a row the same on both sides of a comparison.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "pgo/profile/stack_profile.h"

namespace pgo {

enum class RowsBy { kFunction, kFile, kLine, kBinary, kLabel, kTeam };

struct RowKey {
  std::string name = {};     // for people; of a file (its path), binary, label or team, that itself
  std::string linkage = {};  // empty: there is none, or functions are compared by names for people
  std::string binary = {};   // file name; empty: not known
  int64_t line = 0;          // below kMaxLine; 0: not known, or not by line
  std::string file = {};     // file name of the source; empty: not known

  auto operator<=>(const RowKey&) const = default;
};

// The line where a function starts, on each side; 0: not known, or not the same in all profiles.
using StartLines = std::array<int64_t, 2>;
// From here on a number is no line.
inline constexpr int64_t kMaxLine = int64_t{1} << 31;

// Code without the name of a function: "[libc.so.6]" of that binary, "[kernel]" of the kernel,
// "[unknown]" of none.
std::string name_without_function(const std::string& binary);

// Is the row, by function or line, code of a known file that has no names of functions? Rows
// without names differ from functions that are called alike by having no linkage name.
bool lacks_names(const RowKey& key);

// Linkage names that stand for one function, each with the one that stands for all.
using FoldedNames = std::map<std::string, std::string, std::less<>>;

// Without what compilers append to names of copies (clone_suffix.h); of folded names the one for
// all.
struct ComparableName {
  std::string shown;         // demangled
  std::string linkage = {};  // or the name for people, where a profile has nothing else
};
ComparableName comparable_name(const StackProfile& profile, const StackFunction& function,
                               const FoldedNames& folded);

}  // namespace pgo
