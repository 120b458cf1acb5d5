// FunctionNames: which functions of a binary someone else may mean by a name. Profiles name
// functions as the linker does, or as people do, and compilers add to names what differs from build
// to build (.__uniq.123, .llvm.456).
//
//   FunctionNames names(debug_info, symbol_names);
//   names.find("_ZL1fi").first      // the function that the binary calls _ZL1fi.__uniq.123
//
// A name is looked for as it is; else without what compilers add; else demangled; else demangled
// without parameters, return type and arguments of templates. The first of these that finds any
// function is what is meant, as far as names tell; what the next one finds may be meant as well.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/symbol_names.h"

namespace pgo {

class FunctionNames {
 public:
  struct Function {
    llvm::StringRef name;    // linkage name
    uint32_t decl_line = 0;  // 0: not known, or several functions have this name
  };

  // Of the functions with code, inlined ones too. Reads all units, on up to
  // debug_info.context_count() threads. O(size of the debug information).
  FunctionNames(DebugInfo& debug_info, const SymbolNames& symbol_names);

  // Sorted by name; numbers are indexes.
  const std::vector<Function>& functions() const { return functions_; }
  std::optional<uint32_t> number_of(llvm::StringRef linkage_name) const;

  // Numbers of functions, in ascending order. They belong to the FunctionNames: many names may mean
  // the same thousands of functions.
  struct Meaning {
    std::span<const uint32_t> first;  // most likely these
    std::span<const uint32_t> all;    // these and more
  };
  // Demangles all names when first asked for one that is not found otherwise; for one thread.
  Meaning find(std::string_view name);

 private:
  using Numbers = llvm::StringMap<std::vector<uint32_t>>;

  static const std::vector<uint32_t>& of(const Numbers& numbers, llvm::StringRef name);

  void demangle_all();

  unsigned jobs_ = 1;
  std::vector<Function> functions_;
  llvm::StringMap<uint32_t> number_by_name_;
  Numbers by_stem_, by_demangled_, by_simple_;
  bool is_demangled_ = false;
};

}  // namespace pgo
