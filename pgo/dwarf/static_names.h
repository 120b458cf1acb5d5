// StaticNames: finds functions that builds name differently. clang calls a static function f,
// _ZL1fi or _ZL1fi.__uniq.123, by language and flags, and GCC's debug information calls it f; what
// all of these have in common is the stem.
//
//   StaticNames names;
//   names.add("_ZL1fi.__uniq.123");
//   names.other_name("f")            "_ZL1fi.__uniq.123"
#pragma once

#include <llvm/ADT/StringMap.h>

#include <string>

namespace pgo {

// A linkage name without what -funique-internal-linkage-names adds to it (.__uniq.123).
llvm::StringRef without_unique_suffix(llvm::StringRef name);

// What all names of a static function have in common; other names as they are.
llvm::StringRef static_stem(llvm::StringRef name);

class StaticNames {
 public:
  void add(llvm::StringRef name);
  // Was this name added, or another one of its stem? O(length).
  bool has(llvm::StringRef name) const { return names_.contains(static_stem(name)); }
  // The one of the same stem, of several the first in the alphabet; empty when that is `name`
  // itself, or there is none. O(length).
  llvm::StringRef other_name(llvm::StringRef name) const;

 private:
  llvm::StringMap<std::string> names_;  // by stem
};

}  // namespace pgo
