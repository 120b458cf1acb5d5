// Any bytes as .pseudo_probe and .pseudo_probe_desc, split after the first byte's value: an error,
// or tables whose indices and views all lie in themselves and whose probes are in order.
#include <algorithm>
#include <cstdlib>

#include "pgo/elf/probe_table.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Bytes rest(data + 1, size - 1);
  Bytes names = rest.first(std::min<size_t>(data[0], rest.size()));
  if (Result<ProbeFunctions> functions = ProbeFunctions::parse(names, "fuzz"))
    for (const ProbeFunction& function : functions->all()) {
      const ProbeFunction* found = functions->find(function.guid);
      if (found == nullptr || found->guid != function.guid) std::abort();
      if (function.name.size() > names.size()) std::abort();
    }
  Result<ProbeTable> table = parse_probes(rest.subspan(names.size()), {{}, {{1, 0x1000}}}, "fuzz");
  if (!table) return 0;
  for (size_t i = 0; i < table->records.size(); i++) {
    uint32_t around = table->records[i].around;
    if (around != ProbeRecord::kOutermost && around >= i) std::abort();
  }
  for (const Probe& probe : table->probes) {
    if (probe.record >= table->records.size()) std::abort();
    std::span<const Probe> here = table->probes_at(probe.addr);
    if (here.empty() || here.front().addr != probe.addr || here.back().addr != probe.addr)
      std::abort();
  }
  return 0;
}
