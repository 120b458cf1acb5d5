// SymbolNames: what the symbol table calls functions that debug information names only within their
// scope. GCC gives no linkage name to functions of internal linkage, so that `next` may be any of a
// hundred methods of anonymous namespaces; their symbols tell them apart, and are the names by
// which compilers look functions up.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "pgo/elf/elf_image.h"

namespace llvm {
class DWARFUnit;
}  // namespace llvm

namespace pgo {

struct Subroutine;

// Whose functions symbols name: of compilers that leave linkage names out (GCC), or of all units
// that do, as clang's are with -gline-tables-only by itself; then also functions without any name,
// as those that run the initializers of a file. Profiles for compilers take the former: what clang
// does not name there has no line to count from either.
enum class UnnamedUnits { kOfGcc, kAll };

class SymbolNames {
 public:
  // No symbols: names are what the debug information says.
  SymbolNames() = default;
  // `symbols` must outlive the names. O(n log n).
  explicit SymbolNames(const ElfImage& symbols, UnnamedUnits units = UnnamedUnits::kOfGcc);

  // Whether symbols name functions of this unit. O(1).
  bool apply_to(llvm::DWARFUnit& unit) const;
  // The linkage name of a subroutine, or that of the mangled symbol where it starts, without what
  // compilers append to parts and copies (.cold, .isra.0), or else its short name. Inlined ones
  // have no symbol. Where a symbol may name what has no name at all, any symbol does. O(log n).
  llvm::StringRef name_of(const Subroutine& subroutine) const;

 private:
  std::vector<std::pair<uint64_t, llvm::StringRef>> names_;  // sorted by address, unique
  UnnamedUnits units_ = UnnamedUnits::kOfGcc;
};

}  // namespace pgo
