#include "pgo/doctor/build_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "pgo/base/parallel.h"
#include "pgo/dwarf/frame_table.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/dwarf/unit_map.h"

namespace pgo {
namespace {

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

// Sizes of functions by address.
using Sizes = std::map<uint64_t, uint64_t>;

Sizes sizes_of_functions(const ElfImage& symbols) {
  Sizes sizes;
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    if (!symbol.function || symbol.size == 0) continue;
    uint64_t& size = sizes[symbol.addr.value];
    size = std::max(size, symbol.size);
  }
  return sizes;
}

struct CodeCount {
  uint64_t size = 0, without_function = 0;  // in bytes
  uint64_t calls = 0, calls_without_line = 0;
};

void count_functions(const FrameTable& frames, const Sizes& sizes,
                     const UnitMap::Interval& interval, CodeCount& count) {
  for (auto function = sizes.lower_bound(interval.begin.value);
       function != sizes.end() && function->first < interval.end.value; ++function) {
    count.size += function->second;
    uint32_t frame = frames.find(ElfAddr{function->first}).frame;
    if (frame == FrameTable::kNoFrame || frames.frames()[frame].is_bare)
      count.without_function += function->second;
  }
}

CodeCount count_code(const FrameTable& frames, const CodeMap& code, const Sizes& sizes,
                     const std::vector<UnitMap::Interval>& intervals) {
  CodeCount count;
  for (const UnitMap::Interval& interval : intervals) {
    count_functions(frames, sizes, interval, count);
    ElfAddr end = std::min(interval.end, code.end());
    for (ElfAddr at = std::max(interval.begin, code.begin()); at < end; at = at + 1) {
      CodeByte byte = code.at(at);
      if (!byte.is_code() || byte.kind() != CodeByte::kCall) continue;
      FrameTable::Place place = frames.find(at);
      count.calls++;
      count.calls_without_line += place.frame != FrameTable::kNoFrame && place.line.line == 0;
    }
  }
  return count;
}

void count_all_code(DebugInfo& debug_info, const CodeMap& code, const Sizes& sizes,
                    const std::vector<std::vector<UnitMap::Interval>>& intervals,
                    BuildFacts& facts) {
  std::vector<CodeCount> counts(intervals.size());
  FrameBudget budget(debug_info);
  parallel_for_by_thread(
      intervals.size(), debug_info.context_count(), [&](size_t thread, size_t unit) {
        if (intervals[unit].empty()) return;
        FrameTable frames(debug_info, thread, unit, LineZero::kWrite, {}, budget);
        counts[unit] = count_code(frames, code, sizes, intervals[unit]);
      });
  if (budget.is_used_up()) counts.clear();
  for (const CodeCount& count : counts) {
    facts.code_size += count.size;
    facts.code_without_function += count.without_function;
    facts.calls += count.calls;
    facts.calls_without_line += count.calls_without_line;
  }
}

constexpr std::string_view kUnique = ".__uniq.";

// Functions that no source names: clang makes them to start and end globals, to reach thread_local
// variables, to adjust `this`.
bool is_made_by_compiler(std::string_view name) {
  for (std::string_view prefix :
       {"__cxx_global_", "_GLOBAL_", "__tls_init", "__clang_call_terminate", "_ZT"})
    if (name.starts_with(prefix)) return true;
  return false;
}

// Does a mangled name say that its function is static? "_ZL1fv", "_ZN1nL1fEv" (but
// "_ZN1cIL1e0EE1fEv" has an enumerator), what is in a namespace without a name, and lambdas of what
// is static.
bool is_mangled_as_static(std::string_view name) {
  if (name.starts_with("_ZL") || name.find("_GLOBAL__N_") != name.npos ||
      name.find("$_") != name.npos)
    return true;
  for (size_t at = name.find('L'); at != name.npos; at = name.find('L', at + 1)) {
    bool is_argument = name[at - 1] == 'I' || name[at - 1] == 'E';
    if (!is_argument && at + 1 < name.size() && name[at + 1] >= '1' && name[at + 1] <= '9')
      return true;
  }
  return false;
}

// Would -funique-internal-linkage-names give it a unique name, or has it? Not what is a part of
// another function (f.cold, f.resume), nor what became local when it was linked (by LTO, say): that
// has the name of one whom all files see.
bool is_static(const ElfImage::Symbol& symbol) {
  if (!symbol.function || !symbol.local || is_made_by_compiler(symbol.name)) return false;
  if (symbol.name.find(kUnique) != std::string_view::npos) return true;
  if (symbol.name.find('.') != std::string_view::npos) return false;
  return !symbol.name.starts_with("_Z") || is_mangled_as_static(symbol.name);
}

// "f" of "f" and of what LTO calls "f.1" where two files have one.
std::string_view own_name(std::string_view name) {
  size_t dot = name.rfind('.');
  bool is_numbered = dot != std::string_view::npos &&
                     name.find_first_not_of("0123456789", dot + 1) == std::string_view::npos;
  return is_numbered ? name.substr(0, dot) : name;
}

// Those that lie in `ranges` (sorted and disjoint). A name of C does not say that its function is
// static: LTO makes others local as well. Where clang was told to make names unique, one that no
// other function has is such, or does no harm.
void count_static_functions(const ElfImage& symbols, const std::vector<UnitMap::Interval>& ranges,
                            BuildFacts& facts) {
  std::map<std::string_view, uint64_t> functions;  // by own name
  for (const ElfImage::Symbol& symbol : symbols.symbols())
    if (symbol.function && symbol.local) functions[own_name(symbol.name)]++;
  uint64_t alone = 0;  // names of C that no other function has
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    if (!is_static(symbol)) continue;
    auto after = std::upper_bound(
        ranges.begin(), ranges.end(), symbol.addr,
        [](ElfAddr addr, const UnitMap::Interval& range) { return addr < range.begin; });
    if (after == ranges.begin() || symbol.addr >= (after - 1)->end) continue;
    facts.static_functions++;
    bool is_unique = symbol.name.find(kUnique) != std::string_view::npos;
    facts.unique_static_functions += is_unique;
    alone += !is_unique && !symbol.name.starts_with("_Z") && functions[symbol.name] == 1;
  }
  if (facts.unique_static_functions != 0) facts.static_functions -= alone;
}

}  // namespace

std::optional<uint32_t> BuildFacts::unit_of(ElfAddr addr) const {
  auto after = std::upper_bound(
      units.begin(), units.end(), addr,
      [](ElfAddr wanted, const UnitMap::Interval& unit) { return wanted < unit.begin; });
  if (after == units.begin() || addr >= (after - 1)->end) return std::nullopt;
  return (after - 1)->unit;
}

Result<BuildFacts> read_build_facts(const Binary& binary, unsigned jobs) {
  PGO_TRY(std::unique_ptr<DebugInfo> debug_info,
          DebugInfo::open(binary.debug_image(), resolve_jobs(jobs)));
  const std::vector<llvm::DWARFUnit*>& units = debug_info->units(0);
  BuildFacts facts;
  std::set<std::string> compilers;
  std::vector<bool> by_clang;
  for (llvm::DWARFUnit* unit : units) {
    std::string producer = producer_of(*unit);
    by_clang.push_back(is_clang(producer));
    if (!producer.empty()) compilers.insert(short_name(producer));
    std::string missing = missing_split_file(*unit, debug_info->damage());
    if (!missing.empty()) facts.missing_split_files.push_back(missing);
  }
  facts.compilers.assign(compilers.begin(), compilers.end());

  UnitMap map(*debug_info);
  std::vector<UnitMap::Interval> clang_code;
  for (const UnitMap::Interval& interval : map.intervals())
    if (by_clang[interval.unit]) clang_code.push_back(interval);
  facts.units = map.intervals();
  count_all_code(*debug_info, *binary.code, sizes_of_functions(binary.symbol_image()),
                 map.by_unit(), facts);
  count_static_functions(binary.symbol_image(), clang_code, facts);
  facts.damage = debug_info->damage().first();
  return facts;
}

}  // namespace pgo
