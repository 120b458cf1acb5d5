#include "pgo/elf/hot_symbols.h"

#include <algorithm>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

struct Function {
  uint64_t begin = 0, end = 0;
  std::string_view name;
  uint64_t weight = 0;
};

std::vector<Function> functions_of(const ElfImage& symbols) {
  std::vector<Function> functions;
  for (const ElfImage::Symbol& symbol : symbols.symbols())
    if (symbol.function && symbol.size != 0)
      functions.push_back(
          {symbol.addr.value, saturating_add(symbol.addr.value, symbol.size), symbol.name, 0});
  std::stable_sort(functions.begin(), functions.end(),
                   [](const Function& a, const Function& b) { return a.begin < b.begin; });
  functions.erase(
      std::unique(functions.begin(), functions.end(),
                  [](const Function& a, const Function& b) { return a.begin == b.begin; }),
      functions.end());
  // Where functions overlap, the one that starts later has the code.
  for (size_t i = 0; i + 1 < functions.size(); i++)
    functions[i].end = std::min(functions[i].end, functions[i + 1].begin);
  return functions;
}

// Adds `count` for each byte of [begin, end) to the functions there.
void add_bytes(std::vector<Function>& functions, uint64_t begin, uint64_t end, uint64_t count) {
  auto function = std::upper_bound(
      functions.begin(), functions.end(), begin,
      [](uint64_t addr, const Function& candidate) { return addr < candidate.begin; });
  if (function != functions.begin()) --function;
  for (; function != functions.end() && function->begin < end; ++function) {
    uint64_t first = std::max(begin, function->begin), last = std::min(end, function->end);
    if (first < last)
      function->weight = saturating_add(function->weight, saturating_multiply(last - first, count));
  }
}

}  // namespace

HotSymbols find_hot_symbols(const ElfImage& symbols, const CodeMap& code,
                            const std::vector<RangeCount>& ranges,
                            const std::vector<PcSample>& pc_samples) {
  std::vector<Function> functions = functions_of(symbols);
  HotSymbols hot;
  for (const RangeCount& range : ranges) {
    if (range.last < range.first) continue;
    uint64_t end = saturating_add(range.last.value, code.at(range.last).size());
    hot.total =
        saturating_add(hot.total, saturating_multiply(end - range.first.value, range.count));
    add_bytes(functions, range.first.value, end, range.count);
  }
  for (const PcSample& sample : pc_samples) {
    hot.total = saturating_add(hot.total, sample.weight);
    add_bytes(functions, sample.pc.value, saturating_add(sample.pc.value, 1), sample.weight);
  }
  for (const Function& function : functions)
    if (function.weight != 0) hot.functions.push_back({function.name, function.weight});
  std::sort(hot.functions.begin(), hot.functions.end(), [](const HotSymbol& a, const HotSymbol& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.name < b.name;
  });
  return hot;
}

}  // namespace pgo
