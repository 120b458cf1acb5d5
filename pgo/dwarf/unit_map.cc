#include "pgo/dwarf/unit_map.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugArangeSet.h>
#include <llvm/DebugInfo/DWARF/DWARFObject.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace pgo {
namespace {

// Where one more unit, or one unit less, claims the addresses that follow.
struct Endpoint {
  uint64_t addr = 0;
  uint32_t unit = 0;
  bool begins = false;
};

class Endpoints {
 public:
  void add(uint32_t unit, uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    endpoints_.push_back({begin, unit, true});
    endpoints_.push_back({end, unit, false});
  }
  std::vector<Endpoint> sorted() && {
    std::sort(endpoints_.begin(), endpoints_.end(),
              [](const Endpoint& a, const Endpoint& b) { return a.addr < b.addr; });
    return std::move(endpoints_);
  }

 private:
  std::vector<Endpoint> endpoints_;
};

// Adds what .debug_aranges says, and marks the units that it describes. What LLVM warns of there is
// what linkers leave of functions that they removed.
void add_aranges(llvm::DWARFContext& context,
                 const std::unordered_map<uint64_t, uint32_t>& unit_by_offset,
                 std::vector<bool>& described, Endpoints& endpoints, DebugDamage& damage) {
  const llvm::DWARFObject& object = context.getDWARFObj();
  llvm::DWARFDataExtractor data(object.getArangesSection(), context.isLittleEndian(), 0);
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  uint64_t offset = 0;
  llvm::DWARFDebugArangeSet set;
  while (data.isValidOffset(offset)) {
    if (llvm::Error error = set.extract(data, &offset, ignore)) {
      damage.add(".debug_aranges", std::move(error));
      return;
    }
    auto unit = unit_by_offset.find(set.getCompileUnitDIEOffset());
    if (unit == unit_by_offset.end()) continue;
    described[unit->second] = true;
    for (const auto& descriptor : set.descriptors())
      endpoints.add(unit->second, descriptor.Address, descriptor.getEndAddress());
  }
}

}  // namespace

UnitMap::UnitMap(DebugInfo& debug_info) : unit_count_(debug_info.units(0).size()) {
  const std::vector<llvm::DWARFUnit*>& units = debug_info.units(0);
  std::unordered_map<uint64_t, uint32_t> unit_by_offset;
  for (uint32_t i = 0; i < units.size(); i++) unit_by_offset.emplace(units[i]->getOffset(), i);
  std::vector<bool> described(units.size());
  Endpoints endpoints;
  add_aranges(debug_info.context(0), unit_by_offset, described, endpoints, debug_info.damage());
  uint64_t left = debug_info.entry_limit();  // units may all have the same list of ranges
  for (uint32_t i = 0; i < units.size(); i++) {
    if (described[i]) continue;
    auto ranges = units[i]->collectAddressRanges();
    if (!ranges) {
      debug_info.damage().add(".debug_info", ranges.takeError());
      continue;
    }
    if (ranges->size() > left) {
      debug_info.damage().add(".debug_info",
                              "units with more ranges of code than a file of its size can have");
      break;
    }
    left -= ranges->size();
    for (const llvm::DWARFAddressRange& range : *ranges)
      endpoints.add(i, range.LowPC, range.HighPC);
  }

  std::multiset<uint32_t> claiming;  // units are numbered in file order
  uint64_t previous = 0;
  for (const Endpoint& endpoint : std::move(endpoints).sorted()) {
    if (previous < endpoint.addr && !claiming.empty()) {
      if (!intervals_.empty() && intervals_.back().end.value == previous &&
          claiming.contains(intervals_.back().unit))
        intervals_.back().end = ElfAddr{endpoint.addr};
      else
        intervals_.push_back({ElfAddr{previous}, ElfAddr{endpoint.addr}, *claiming.begin()});
    }
    if (endpoint.begins)
      claiming.insert(endpoint.unit);
    else
      claiming.erase(claiming.find(endpoint.unit));
    previous = endpoint.addr;
  }
}

std::vector<std::vector<UnitMap::Interval>> UnitMap::by_unit() const {
  std::vector<std::vector<Interval>> units(unit_count_);
  for (const Interval& interval : intervals_) units[interval.unit].push_back(interval);
  return units;
}

}  // namespace pgo
