// Any bytes as .pseudo_probe_desc, and any names of functions, one a line: what has no probes is no
// more than all there is, and nothing that is described. The first byte says how long the former
// is.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "pgo/elf/probe_coverage.h"
#include "tests/data/elf_builder.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Bytes rest(data + 1, size - 1);
  Bytes described = rest.first(std::min<size_t>(data[0], rest.size()));
  Result<ProbeFunctions> functions = ProbeFunctions::parse(described, "fuzz");
  if (!functions) return 0;

  ElfBuilder elf;
  uint16_t text = elf.next_section();
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "code");
  std::string_view names(reinterpret_cast<const char*>(data + 1), size - 1);
  for (names.remove_prefix(described.size()); !names.empty();) {
    std::string_view name = names.substr(0, names.find('\n'));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    // Some are at one address.
    elf.add_symbol(std::string(name), STT_FUNC, text, 0x1000 + name.size() % 8, name.size());
  }
  std::vector<uint8_t> file = elf.finish();
  Result<ElfImage> image = ElfImage::parse(file, "fuzz");
  if (!image) std::abort();

  ProbeCoverage coverage = probe_coverage(*image, *functions);
  if (coverage.without_size > coverage.code_size) std::abort();
  if (coverage.without.size() > image->symbols().size()) std::abort();
  for (const ProbeFunction& function : functions->all())
    if (std::any_of(coverage.without.begin(), coverage.without.end(),
                    [&](const auto& without) { return without.name == function.name; }))
      std::abort();
  return 0;
}
