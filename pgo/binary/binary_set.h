// BinarySet: the --binary arguments, opened: each with the files that describe it and a map of its
// code. Files of one build (a stripped binary and its unstripped twin) are refused as ambiguous.
#pragma once

#include <string>
#include <vector>

#include "pgo/binary/binary.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

class BinarySet {
 public:
  static Result<BinarySet> open(const std::vector<std::string>& paths, const DebugPlaces& debug,
                                BinaryUse use = BinaryUse::kNames,
                                ProbeUse probe_use = ProbeUse::kOfBinaryOrDebugFile);

  const std::vector<Binary>& binaries() const { return binaries_; }
  std::vector<TargetBinary> targets() const;
  // Of the binaries those with `ids` are what a profile names without a build ID: what has their
  // file name, and, of a single one, also the main binary of a profile. Error: an id of none.
  Result<void> assume(const std::vector<std::string>& ids);
  // Gives mappings of `profile` without a build ID the assumed ones, and says so in `diagnostics`.
  // True when there were such.
  bool assume_build_ids(StackProfile& profile, const std::string& path,
                        Diagnostics& diagnostics) const;
  // The binary whose counts these are, as its place in binaries() and itself. Error (kInternal):
  // none of them; readers give counts of these binaries only.
  Result<size_t> index_of(const BinaryCounts& counts) const;
  Result<const Binary*> find(const BinaryCounts& counts) const;

 private:
  Result<void> check_used(const std::string& debug_file) const;

  std::vector<Binary> binaries_;
  std::vector<const ElfImage*> assumed_;
};

}  // namespace pgo
