// ProbeCoverage: which code of a binary was compiled with pseudo probes, and which without: what is
// linked in from libraries that were compiled otherwise has none, and profiles by probe know
// nothing of it. Functions are told by the names of their symbols; code without symbols is not
// looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "pgo/elf/elf_image.h"
#include "pgo/elf/probe_table.h"

namespace pgo {

struct ProbeCoverage {
  uint64_t code_size = 0;     // bytes, of all functions that have a symbol and a size
  uint64_t without_size = 0;  // of those that were compiled without probes
  // These, the largest first; of equal ones the first in the file. Names point into `symbols`.
  struct Function {
    std::string_view name;
    ElfAddr addr;
    uint64_t size = 0;
  };
  std::vector<Function> without;
  std::vector<ElfAddr> with;  // where functions with probes start; in no order

  // Takes functions out of `without` that the compiler left without probes of its own accord, as it
  // does at link-time optimization: unit_of(address) is the compile unit of code, if it is known,
  // and a unit in which any function has probes was compiled with them.
  void drop_units_with_probes(const std::function<std::optional<uint32_t>(ElfAddr)>& unit_of);
};

// `symbols` has the symbol table of the binary that has `functions`. The C library's code before
// main() is left out: nobody can compile it with probes. O(symbols log symbols + bytes of names).
ProbeCoverage probe_coverage(const ElfImage& symbols, const ProbeFunctions& functions);

}  // namespace pgo
