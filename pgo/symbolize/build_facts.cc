#include "pgo/symbolize/build_facts.h"

#include <elf.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "pgo/base/bytes.h"
#include "pgo/base/parallel.h"
#include "pgo/symbolize/frame_table.h"
#include "pgo/symbolize/unit_map.h"

namespace pgo {
namespace {

std::string producer_of(llvm::DWARFUnit& unit) {
  llvm::DWARFDie die = unit.getNonSkeletonUnitDIE();
  return llvm::dwarf::toStringRef(die ? die.find(llvm::dwarf::DW_AT_producer) : std::nullopt).str();
}

bool is_clang(const std::string& producer) {
  return producer.find("clang version ") != std::string::npos;
}

// "Debian clang version 22.1.8 (1~deb12u1)" and "GNU C17 12.2.0 -mtune=generic ..." in short.
std::string short_name(const std::string& producer) {
  constexpr std::string_view kClang = "clang version ";
  if (is_clang(producer)) {
    std::string_view version =
        std::string_view(producer).substr(producer.find(kClang) + kClang.size());
    return "clang " + std::string(version.substr(0, version.find(' ')));
  }
  return producer.substr(0, producer.find(" -"));
}

struct CallCount {
  uint64_t calls = 0, without_function = 0, without_line = 0;
};

CallCount count_calls(const FrameTable& frames, const CodeMap& code,
                      const std::vector<UnitMap::Interval>& intervals) {
  CallCount count;
  for (const UnitMap::Interval& interval : intervals) {
    uint64_t end = std::min(interval.end.value, code.end().value);
    for (uint64_t at = std::max(interval.begin.value, code.begin().value); at < end; at++) {
      CodeByte byte = code.at(ElfAddr{at});
      if (!byte.is_code() || byte.kind() != CodeByte::kCall) continue;
      FrameTable::Place place = frames.find(at);
      count.calls++;
      if (place.frame == FrameTable::kNoFrame)
        count.without_function++;
      else
        count.without_line += place.line.line == 0;
    }
  }
  return count;
}

void count_all_calls(DebugInfo& debug_info, const CodeMap& code,
                     const std::vector<std::vector<UnitMap::Interval>>& intervals,
                     BuildFacts& facts) {
  std::vector<CallCount> counts(intervals.size());
  std::atomic<size_t> next{0};
  size_t threads = debug_info.context_count();
  parallel_for(threads, static_cast<unsigned>(threads), [&](size_t thread) {
    for (size_t unit = next++; unit < intervals.size(); unit = next++) {
      if (intervals[unit].empty()) continue;
      FrameTable frames(debug_info, thread, unit, LineZero::kWrite);
      counts[unit] = count_calls(frames, code, intervals[unit]);
    }
  });
  for (const CallCount& count : counts) {
    facts.calls += count.calls;
    facts.calls_without_function += count.without_function;
    facts.calls_without_line += count.without_line;
  }
}

// Local functions of the symbol table that lie in `ranges` (sorted and disjoint).
void count_static_functions(const ElfImage& symbols, const std::vector<UnitMap::Interval>& ranges,
                            BuildFacts& facts) {
  const ElfImage::Section* table = symbols.find_section(".symtab");
  const ElfImage::Section* strings = symbols.find_section(".strtab");
  if (table == nullptr || strings == nullptr) return;
  for (ByteCursor cursor(table->bytes); cursor.remaining() >= sizeof(Elf64_Sym);) {
    uint32_t name = cursor.u32();
    uint8_t info = cursor.u8();
    cursor.skip(3);
    uint64_t addr = cursor.u64();
    cursor.skip(8);
    if (ELF64_ST_BIND(info) != STB_LOCAL || ELF64_ST_TYPE(info) != STT_FUNC) continue;
    auto after = std::upper_bound(
        ranges.begin(), ranges.end(), addr,
        [](uint64_t a, const UnitMap::Interval& range) { return a < range.begin.value; });
    if (after == ranges.begin() || addr >= (after - 1)->end.value) continue;
    if (name >= strings->bytes.size()) continue;
    std::string_view text = until_nul(strings->bytes.subspan(name));
    if (text.starts_with("_GLOBAL__sub_I_") || text.starts_with("__cxx_global_var_init")) continue;
    facts.static_functions++;
    facts.unique_static_functions += text.find(".__uniq.") != std::string_view::npos;
  }
}

}  // namespace

Result<BuildFacts> read_build_facts(const SymbolizedBinary& binary, unsigned jobs) {
  PGO_TRY(std::unique_ptr<DebugInfo> debug_info,
          DebugInfo::open(*binary.debug, resolve_jobs(jobs)));
  const std::vector<llvm::DWARFUnit*>& units = debug_info->units(0);
  BuildFacts facts;
  std::set<std::string> compilers;
  std::vector<bool> by_clang;
  for (llvm::DWARFUnit* unit : units) {
    std::string producer = producer_of(*unit);
    by_clang.push_back(is_clang(producer));
    if (!producer.empty()) compilers.insert(short_name(producer));
  }
  facts.compilers.assign(compilers.begin(), compilers.end());

  std::vector<std::vector<UnitMap::Interval>> intervals(units.size());
  std::vector<UnitMap::Interval> clang_code;
  UnitMap map(*debug_info);
  for (const UnitMap::Interval& interval : map.intervals()) {
    intervals[interval.unit].push_back(interval);
    if (by_clang[interval.unit]) clang_code.push_back(interval);
  }
  count_all_calls(*debug_info, *binary.code, intervals, facts);
  count_static_functions(*binary.symbols, clang_code, facts);
  return facts;
}

}  // namespace pgo
