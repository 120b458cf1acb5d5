// From a profile that names where samples were, but has no addresses, to what of it can be looked
// up in binaries: the innermost frames of each sample, by function and line. Stores that symbolize
// hold such profiles.
//
// Producers write inlined code in one of two ways: as several lines of one place, or as places of
// their own, like calls. The result has two places for a sample: the first has the frames that the
// producer says are one piece of code, the second the callers around it. A profile in which no
// place has several lines may be of the other kind, in which only the binary can tell where inlined
// code ends: there all frames are in the first place.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Frames beyond these are not kept: inlining is seldom as deep.
inline constexpr size_t kMaxSymbolizedFrames = 32;

struct SymbolizedStacks {
  // Samples and their weight (SampleValue), without labels; a mapping is a binary that was asked
  // for, named by the path of its image, and kNoMapping where the profile does not tell binaries
  // apart.
  StackProfile stacks;
  // What they count: events, and samples, those in `stacks` as pending; an empty entry for each
  // binary.
  AddressProfile counted;
  bool has_lines = false;  // of any sample's own function
};

// Is any sample's own address known?
bool has_addresses(const StackProfile& profile);

// The samples of `profile` that may be of `images`. Where the profile names one of them as a
// mapping (mapping_owners.h; another build will do), samples in other mappings are of other
// binaries; else only names can tell. `sample_type`, `name` and errors: choose_sample_value().
Result<SymbolizedStacks> take_symbolized_stacks(const StackProfile& profile,
                                                const std::vector<const ElfImage*>& images,
                                                const std::string& sample_type,
                                                const std::string& name);

}  // namespace pgo
