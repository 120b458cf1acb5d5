// Which functions ran most, by the symbol table: needs no debug information.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pgo/elf/elf_image.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/code_counts.h"
#include "pgo/profile/code_map.h"

namespace pgo {

struct HotSymbol {
  std::string_view name;  // points into the image
  uint64_t weight = 0;
};

struct HotSymbols {
  std::vector<HotSymbol> functions;  // hottest first; equal ones by name
  uint64_t total = 0;                // with what lies in no function
};

// What `ranges` of `code` and `pc_samples` mean for the functions of `symbols`. The weight of a
// function is the bytes of its code that ran, as often as they ran; a PC sample weighs its
// count. Of several names for one address the first in the table stands. O((ranges + PC samples)
// log symbols).
HotSymbols find_hot_symbols(const ElfImage& symbols, const CodeMap& code,
                            const std::vector<RangeCount>& ranges,
                            const std::vector<PcSample>& pc_samples);

}  // namespace pgo
