// UnitMap: which compile unit describes an address. Follows LLVM's DWARFDebugAranges:
// .debug_aranges for the units that it covers, the units' own ranges for the others; where several
// claim an address, the one that was found just before it goes on, or else the first in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pgo/dwarf/debug_info.h"
#include "pgo/profile/address.h"

namespace pgo {

class UnitMap {
 public:
  explicit UnitMap(DebugInfo& debug_info);

  struct Interval {
    ElfAddr begin, end;  // half-open
    uint32_t unit = 0;   // index into DebugInfo::units()
  };
  // Sorted and disjoint.
  const std::vector<Interval>& intervals() const { return intervals_; }
  // The same for each unit, by its index.
  std::vector<std::vector<Interval>> by_unit() const;

 private:
  size_t unit_count_;
  std::vector<Interval> intervals_;
};

}  // namespace pgo
