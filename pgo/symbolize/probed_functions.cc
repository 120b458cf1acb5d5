#include "pgo/symbolize/probed_functions.h"

#include <llvm/ProfileData/SampleProf.h>
#include <llvm/Support/MD5.h>

#include <algorithm>

namespace pgo {
namespace {

llvm::StringRef as_ref(std::string_view text) { return {text.data(), text.size()}; }

// The outermost function that the first probe in the code of `function` belongs to; empty when no
// piece of it is an entry with probes.
llvm::StringRef name_by_probes(const FunctionTable::Function& function,
                               const FunctionTable& functions,
                               const ProbeFunctions& probe_functions, const ProbeTable& probes) {
  for (const FunctionTable::Range& range : function.ranges) {
    if (!functions.find_entry(range.begin)) continue;
    auto inside = probes.probes_between(range.begin, ElfAddr{range.end.value - 1});
    if (inside.empty()) continue;
    uint32_t record = inside.front().record;
    while (probes.records[record].around != ProbeRecord::kOutermost)
      record = probes.records[record].around;
    if (const ProbeFunction* named = probe_functions.find(probes.records[record].guid))
      return as_ref(named->name);
  }
  return {};
}

}  // namespace

std::vector<bool> find_functions_that_ran(const CodeCounts& counts,
                                          const FunctionTable& functions) {
  std::vector<bool> ran(functions.functions().size());
  auto mark = [&](ElfAddr addr) {
    if (std::optional<uint32_t> function = functions.find(addr)) ran[*function] = true;
  };
  for (const RangeCount& range : counts.ranges) mark(range.first);
  for (const BranchCount& branch : counts.branches) {
    if (branch.from) mark(*branch.from);
    mark(branch.to);
  }
  return ran;
}

ProbeSelection select_probes(const std::vector<bool>& ran, const FunctionTable& functions,
                             const ElfImage& symbols) {
  ProbeSelection selection;
  // Where pieces of these functions start, by address; equal addresses keep the functions' order.
  struct Start {
    ElfAddr addr;
    size_t order;
  };
  std::vector<Start> starts;
  for (size_t i = 0; i < ran.size(); i++) {
    if (!ran[i]) continue;
    const FunctionTable::Function& function = functions.functions()[i];
    selection.guids.insert(llvm::MD5Hash(function.name));
    for (const FunctionTable::Range& range : function.ranges)
      starts.push_back({range.begin, starts.size()});
  }
  for (const auto& [function, name] : functions.other_names())
    if (ran[function]) selection.guids.insert(llvm::MD5Hash(name));

  std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) {
    return a.addr != b.addr ? a.addr < b.addr : a.order < b.order;
  });
  // Symbols of one name may start several pieces; the last one counts.
  struct Named {
    size_t order;
    uint64_t guid;
    ElfAddr addr;
  };
  std::vector<Named> named;
  for (const ElfImage::Symbol& symbol : symbols.symbols()) {
    auto found = std::lower_bound(starts.begin(), starts.end(), symbol.addr,
                                  [](const Start& start, ElfAddr a) { return start.addr < a; });
    uint64_t guid = 0;
    for (; found != starts.end() && found->addr == symbol.addr; ++found) {
      if (guid == 0) guid = llvm::MD5Hash(as_ref(symbol.name));
      named.push_back({found->order, guid, symbol.addr});
    }
  }
  std::stable_sort(named.begin(), named.end(),
                   [](const Named& a, const Named& b) { return a.order < b.order; });
  for (const Named& one : named) selection.starts[one.guid] = one.addr.value;
  return selection;
}

std::vector<llvm::StringRef> name_callees(const std::vector<bool>& ran,
                                          const FunctionTable& functions,
                                          const ProbeFunctions& probe_functions,
                                          const ProbeTable& probes) {
  using llvm::sampleprof::FunctionSamples;
  std::vector<llvm::StringRef> names;
  names.reserve(ran.size());
  for (size_t i = 0; i < ran.size(); i++) {
    const FunctionTable::Function& function = functions.functions()[i];
    llvm::StringRef name;
    if (ran[i] && function.symbols == FunctionTable::Symbols::kOtherName)
      name = name_by_probes(function, functions, probe_functions, probes);
    names.push_back(name.empty() ? function.canonical_name()
                                 : FunctionSamples::getCanonicalFnName(name));
  }
  return names;
}

}  // namespace pgo
