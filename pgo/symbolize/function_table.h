// FunctionTable: the functions of a binary by name and by address, from the debug information of
// all its compile units. The rules are llvm-profgen's (LLVM 22): ranges of equal names belong to
// one function, and where ranges start at the same address (identical code folding) the first wins.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <vector>

#include "pgo/elf/elf_image.h"
#include "pgo/profile/address.h"
#include "pgo/symbolize/debug_info.h"

namespace pgo {

class FunctionTable {
 public:
  struct Range {
    ElfAddr begin, end;  // half-open
  };
  struct Function {
    llvm::StringRef name;       // linkage name
    std::vector<Range> ranges;  // of all definitions of that name, in file order

    // The name without the suffixes that compilers add to copies (.llvm.123, .part.0).
    llvm::StringRef canonical_name() const;
  };

  // Reads all units, on up to debug_info.context_count() threads. Code below the binary's first
  // executable page is left out: that is where linkers leave what they removed. `symbols` is the
  // image with the symbol table, which tells entries of functions from other parts of them.
  FunctionTable(DebugInfo& debug_info, const ElfImage& image, const ElfImage& symbols);

  const std::vector<Function>& functions() const { return functions_; }
  // Names of the .dwo files that units refer to and that were not found, sorted.
  const std::vector<std::string>& missing_split_files() const { return missing_split_files_; }
  // The number of the function with code at `addr`, if any. O(log functions).
  std::optional<uint32_t> find(ElfAddr addr) const;
  // The function that is called when `addr` is called: one that starts there and is no split-off
  // part.
  std::optional<uint32_t> find_entry(ElfAddr addr) const;

 private:
  struct Start {
    ElfAddr begin, end;
    uint32_t function = 0;
    bool is_entry = false;
  };

  void mark_entries(const ElfImage& symbols);
  const Start* find_start(ElfAddr addr) const;

  std::vector<Function> functions_;
  std::vector<std::string> missing_split_files_;
  std::vector<Start> starts_;  // sorted by begin, unique
};

}  // namespace pgo
