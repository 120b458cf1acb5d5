#include "pgo/elf/probe_coverage.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using Names = std::unordered_set<std::string_view>;

// Compilers append to the names of parts and copies: f.cold, f.llvm.123, f.__uniq.1.part.0. Each
// step looks at the whole name, so what no compiler would append is not taken off.
constexpr size_t kMaxSuffixes = 16;

bool has_probes(std::string_view name, const Names& with_probes) {
  for (size_t suffixes = 0; suffixes <= kMaxSuffixes; suffixes++) {
    if (with_probes.contains(name)) return true;
    size_t suffix = name.rfind('.');
    if (suffix == std::string_view::npos) return false;
    name = name.substr(0, suffix);
  }
  return false;
}

bool is_start_code(std::string_view name) {
  return name == "_start" || name == "_dl_relocate_static_pie" || name.starts_with("__libc_csu_");
}

// The code at one address, which may have several names: linkers fold what is equal.
struct Code {
  ElfAddr addr;
  uint64_t size = 0;
  bool has_probes = false;
  std::string_view name;
};

}  // namespace

ProbeCoverage probe_coverage(const ElfImage& symbols, const ProbeFunctions& functions) {
  Names with_probes;
  for (const ProbeFunction& function : functions.all()) with_probes.insert(function.name);

  std::vector<Code> all;
  std::unordered_map<uint64_t, size_t> by_addr;
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    if (!symbol.function || symbol.size == 0 || is_start_code(symbol.name)) continue;
    auto [found, is_new] = by_addr.try_emplace(symbol.addr.value, all.size());
    if (is_new) all.push_back({symbol.addr, 0, false, symbol.name});
    Code& code = all[found->second];
    code.size = std::max(code.size, symbol.size);
    code.has_probes = code.has_probes || has_probes(symbol.name, with_probes);
  }

  ProbeCoverage coverage;
  for (const Code& code : all) {
    coverage.code_size = saturating_add(coverage.code_size, code.size);
    if (code.has_probes) coverage.with.push_back(code.addr);
  }
  std::erase_if(all, [](const Code& code) { return code.has_probes; });
  std::stable_sort(all.begin(), all.end(),
                   [](const Code& a, const Code& b) { return a.size > b.size; });
  for (const Code& code : all) {
    coverage.without_size = saturating_add(coverage.without_size, code.size);
    coverage.without.push_back({code.name, code.addr, code.size});
  }
  return coverage;
}

void ProbeCoverage::drop_units_with_probes(
    const std::function<std::optional<uint32_t>(ElfAddr)>& unit_of) {
  std::unordered_set<uint32_t> with_probes;
  for (ElfAddr addr : with)
    if (std::optional<uint32_t> unit = unit_of(addr)) with_probes.insert(*unit);
  std::erase_if(without, [&](const Function& function) {
    std::optional<uint32_t> unit = unit_of(function.addr);
    return unit && with_probes.contains(*unit);
  });
  without_size = 0;
  for (const Function& function : without)
    without_size = saturating_add(without_size, function.size);
}

}  // namespace pgo
