// What a binary's debug information and symbols tell of how it was compiled: by which compilers,
// how many of its calls have no line, whether its static functions have names that are unique. What
// a profile made of recordings of it will lack can so be known before it is recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/binary/binary.h"
#include "pgo/dwarf/unit_map.h"

namespace pgo {

struct BuildFacts {
  std::vector<std::string> compilers;  // "clang 22.1.8", "GNU C17 12.2.0"; sorted, each once
  // Bytes of functions, by symbol, in compile units; and of these what the debug information has no
  // function for: clang's -gline-tables-only alone leaves out those that nothing was inlined into.
  uint64_t code_size = 0;
  uint64_t code_without_function = 0;
  uint64_t calls = 0;  // instructions that call, in compile units with lines
  uint64_t calls_without_line = 0;
  // Functions of internal linkage in what clang compiled, and those with a unique name (.__uniq.).
  uint64_t static_functions = 0;
  uint64_t unique_static_functions = 0;
  std::vector<std::string> missing_split_files;  // .dwo files
  std::string damage;                    // what could not be read, as DebugDamage::first() says it
  std::vector<UnitMap::Interval> units;  // which compile unit has which code

  // The compile unit of the code at `addr`. O(log units).
  std::optional<uint32_t> unit_of(ElfAddr addr) const;
};

// Looks at all code, on up to `jobs` threads (0: all cores); takes about as long as converting a
// recording that touches everything. Error: no debug information that can be read.
Result<BuildFacts> read_build_facts(const Binary& binary, unsigned jobs);

}  // namespace pgo
