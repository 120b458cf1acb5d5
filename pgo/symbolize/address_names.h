// AddressNames: the functions and lines of addresses of a binary: for each the inline stack that
// its debug information describes, or else its symbol, with a line where there is one for it: some
// functions that compilers make have lines and nothing else.
//
//   AddressNames names = name_addresses(binary, addresses, jobs);
//   for (const AddressNames::Frame& frame : names.stack_of(i))   // innermost first
//     names.functions[frame.function]
//
// Each compile unit that has one of the addresses is read once, front to back, flattened, and asked
// for its addresses in order; one unit is in memory for each thread. Addresses of the same place
// share a stack.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/flat_lists.h"
#include "pgo/binary/binary.h"
#include "pgo/profile/address.h"

namespace pgo {

struct AddressNames {
  struct Name {
    std::string linkage_name, demangled;  // the same for what is not mangled
  };
  struct Function {
    uint32_t name = 0;        // index into `names`
    uint32_t file = 0;        // index into `files`: where it was declared
    uint32_t start_line = 0;  // of the declaration; 0: not known
    auto operator<=>(const Function&) const = default;
  };
  struct Frame {
    uint32_t function = 0;  // index into `functions`
    uint32_t line = 0;      // of the code, or of the call in an outer frame; 0: not known
  };
  enum class Source : uint8_t { kNothing, kSymbol, kDebugInfo };

  // Innermost first; empty where the source is kNothing.
  std::span<const Frame> stack_of(size_t address) const {
    if (sources[address] == Source::kNothing) return {};
    return stacks[stack_numbers[address]];
  }

  std::vector<Name> names;         // each once
  std::vector<std::string> files;  // each once; the first is empty
  std::vector<Function> functions;
  FlatLists<Frame> stacks;
  std::vector<uint32_t> stack_numbers;  // by address
  std::vector<Source> sources;          // by address
  bool has_debug_info = false;          // did any that could be read describe the binary?
  Diagnostics diagnostics;              // about the files of the binary
};

// Of `addresses`, which are sorted and unique, on `jobs` threads (0: all cores). Debug information
// that cannot be read, or has more than its size allows (DebugInfo::entry_limit()), is a warning,
// and symbols take its place. O(bytes of units with addresses + frames of stacks).
AddressNames name_addresses(const Binary& binary, std::span<const ElfAddr> addresses,
                            unsigned jobs);

}  // namespace pgo
