// MappingOwners: which of the ELF files that were asked for each mapping of a profile of stacks is.
//
// As everywhere (image_match.h), but that names of functions and lines may be looked up in another
// build as well: there a file's name counts also where build IDs differ.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/elf/image_match.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

enum class OtherBuilds { kAreOthers, kWillDo };

class MappingOwners {
 public:
  // Both must outlive this.
  MappingOwners(const StackProfile& profile, const std::vector<const ElfImage*>& images,
                OtherBuilds other_builds);

  // Not of kNoMapping.
  const ImageMatch& operator[](MappingId mapping) const {
    return owners_[static_cast<size_t>(mapping)];
  }
  // Where an address of a mapping is in its image: one of the process, or already the file's own
  // (StackMapping::holds()). Nothing where the mapping is none of the images, or no code is there.
  OptElfAddr find_code(MappingId mapping, RuntimeAddr address) const;
  // Is any mapping one of the images?
  bool any() const;
  // Says which mappings' names decided, or did not, of those of `used`. `name` is the profile's.
  void warn_of_names(const std::vector<bool>& used, const std::string& name,
                     Diagnostics& diagnostics) const;

 private:
  const StackProfile& profile_;
  const std::vector<const ElfImage*>& images_;
  std::vector<ImageMatch> owners_;
};

}  // namespace pgo
