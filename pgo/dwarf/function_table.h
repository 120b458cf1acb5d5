// FunctionTable: the functions of a binary by name and by address, from the debug information of
// all its compile units. The rules are llvm-profgen's (LLVM 22): ranges of equal names belong to
// one function, and where ranges start at the same address (identical code folding) the first wins.
//
// Pseudo probes go by linkage names, which thin debug information does not have; for them symbols
// add the functions that no debug information covers, and other names of those that it does.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/symbol_names.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/address.h"
#include "pgo/profile/code_counts.h"

namespace pgo {

class FunctionTable {
 public:
  // Where functions are looked for.
  enum class Sources { kDebugInfo, kDebugInfoAndSymbols };

  struct Range {
    ElfAddr begin, end;  // half-open
  };
  // What the symbol table says about a function; kAgrees unless it was asked.
  enum class Symbols : uint8_t {
    kAgrees,
    kOtherName,  // code of the function has a symbol of another name
    kOnly,       // no debug information covers it
  };
  struct Function {
    llvm::StringRef name;       // linkage name
    std::vector<Range> ranges;  // of all definitions of that name, in file order
    Symbols symbols = Symbols::kAgrees;

    // The name without the suffixes that compilers add to copies (.llvm.123, .part.0).
    llvm::StringRef canonical_name() const;
  };

  // Reads all units, on up to debug_info.context_count() threads. Code below the binary's first
  // executable page is left out: that is where linkers leave what they removed. `symbols` is the
  // image with the symbol table, which tells entries of functions from other parts of them.
  FunctionTable(DebugInfo& debug_info, const ElfImage& image, const ElfImage& symbols,
                Sources sources = Sources::kDebugInfo, const SymbolNames& symbol_names = {});
  // Of a binary without debug information: functions by symbols alone.
  explicit FunctionTable(const ElfImage& symbols);

  const std::vector<Function>& functions() const { return functions_; }
  // Names that symbols give to code of functions that are called otherwise, without the suffixes
  // that compilers add, as {number of the function, name} in the order of the symbols.
  const std::vector<std::pair<uint32_t, llvm::StringRef>>& other_names() const {
    return other_names_;
  }
  // Names of the .dwo files that units refer to and that were not found, sorted.
  const std::vector<std::string>& missing_split_files() const { return missing_split_files_; }
  // The number of the function with code at `addr`, if any. O(log functions).
  std::optional<uint32_t> find(ElfAddr addr) const;
  // The function that is called when `addr` is called: one that starts there and is no split-off
  // part.
  std::optional<uint32_t> find_entry(ElfAddr addr) const;

  // All code of the functions that any range starts in, as ranges of count 0. Nothing beyond the
  // binary's code, whatever the debug information claims.
  std::vector<RangeCount> executed_ranges(const std::vector<RangeCount>& ranges,
                                          const CodeMap& map) const;

 private:
  struct Start {
    ElfAddr begin, end;
    uint32_t function = 0;
    bool is_entry = false;
  };

  void read_debug_info(DebugInfo& debug_info, const ElfImage& image,
                       const SymbolNames& symbol_names);
  uint32_t number_of(llvm::StringRef name);
  void add_symbols(const ElfImage& symbols);
  void keep_first_starts();
  void mark_entries(const ElfImage& symbols);
  // The place in starts_ of the range that holds `addr`, if any.
  std::optional<size_t> index_of_start(ElfAddr addr) const;
  const Start* find_start(ElfAddr addr) const;

  std::vector<Function> functions_;
  llvm::StringMap<uint32_t> number_by_name_;
  std::vector<std::pair<uint32_t, llvm::StringRef>> other_names_;
  std::vector<std::string> missing_split_files_;
  std::vector<Start> starts_;  // sorted by begin, unique
};

}  // namespace pgo
