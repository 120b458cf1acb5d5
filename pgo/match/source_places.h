// SourcePlaces: which places in the source the code of a build comes from, whatever it was inlined
// into. Answers whether a count of a profile, which may be of another build, matches one of them.
//
//   SourcePlaces places(debug_info, wanted_functions(profile), Discriminators::kEncoded);
//   if (!places.has({guid, offset, discriminator})) ...
//
// Only the functions that were asked for are kept: a profile is of a small part of a large program.
// What the optimizer removed has no place here, though the compiler had one for it.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/static_names.h"
#include "pgo/dwarf/symbol_names.h"
#include "pgo/symbolize/discriminators.h"

namespace pgo {

// The hash that LLVM's profiles can have instead of a name.
uint64_t function_guid(llvm::StringRef name);

// Later passes add the bits above these to flow-sensitive discriminators; a profile is read without
// them where it is first applied.
constexpr uint32_t kFirstPassBits = 0xff;

// A line of a function, and a piece of code of that line.
struct SourcePlace {
  uint64_t function = 0;  // GUID of its name
  uint32_t offset = 0;    // from the line of the function, 16 bits
  uint32_t discriminator =
      0;  // of LLVM's encoded ones the base; kFirstPassBits of flow-sensitive ones

  auto operator<=>(const SourcePlace&) const = default;
};

// The functions to look for; the names are empty where only hashes are known.
struct WantedFunctions {
  std::vector<uint64_t> guids;
  std::vector<llvm::StringRef> names;
};

class SourcePlaces {
 public:
  SourcePlaces() = default;
  // Reads all units, on up to debug_info.context_count() threads. kWhole is for flow-sensitive
  // discriminators; GCC's are read as they are in any case. O(size of the debug information).
  SourcePlaces(DebugInfo& debug_info, const WantedFunctions& wanted, Discriminators discriminators,
               const SymbolNames& symbol_names = {});

  // For tests, and for what has no debug information.
  void add(const SourcePlace& place) { places_.push_back(place); }
  // A function with code is called so, which the profile does not have: it may know it by another
  // name.
  void add_name(llvm::StringRef name) { names_.add(name); }
  // Call after adding, before asking.
  void finish();

  bool has_function(uint64_t function) const;
  bool has_line(uint64_t function, uint32_t offset) const;
  bool has(const SourcePlace& place) const;
  // In order of offset and discriminator.
  std::span<const SourcePlace> of(uint64_t function) const;
  // Of the functions with code that are not wanted by the name that they have.
  const StaticNames& names() const { return names_; }
  // Names of the .dwo files that units refer to and that were not found, sorted.
  const std::vector<std::string>& missing_split_files() const { return missing_split_files_; }

 private:
  std::vector<SourcePlace> places_;  // sorted, unique
  StaticNames names_;
  std::vector<std::string> missing_split_files_;
};

}  // namespace pgo
