// FunctionSymbols: which code belongs to which function, as the symbol table has it. Each piece of
// a function that was split has a symbol of its own and is a function here; names tell of which
// function it is a piece (f.cold of f).
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "pgo/elf/elf_image.h"

namespace pgo {

struct FunctionSymbol {
  ElfAddr begin, end;  // half-open
  std::string_view name;
  Bytes bytes;  // all of its code
};

class FunctionSymbols {
 public:
  // Of `image`, by the symbol table of `symbols` (itself, or its debug file), which must outlive
  // this. Of symbols that begin together the longest counts, of those that overlap the first.
  FunctionSymbols(const ElfImage& image, const ElfImage& symbols);

  const std::vector<FunctionSymbol>& functions() const { return functions_; }  // by address
  // The index of the function with code at `addr`. O(log functions).
  std::optional<uint32_t> find(ElfAddr addr) const;
  std::optional<uint32_t> find_entry(ElfAddr addr) const;
  // The function by whose entry callers come to this one: itself, but for what was split off
  // another. Nothing when several have the name of that. O(log functions that were split).
  std::optional<uint32_t> entered_by(uint32_t function) const;

 private:
  void find_parts(const std::vector<FunctionSymbol>& all);

  std::vector<FunctionSymbol> functions_;
  std::map<uint32_t, std::optional<uint32_t>> parts_;  // of which function
};

}  // namespace pgo
