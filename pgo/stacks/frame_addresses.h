// FrameAddresses: the code that each location of a StackProfile is looked up at. What a location is
// depends on where it stands on a stack (stack_names.h): the sample's own address, or one behind a
// call. So each location has two answers; most stacks use only one of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pgo/binary/binary_set.h"
#include "pgo/elf/mapping_owners.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// How an address on a stack is meant: as the place itself, or as a return address.
enum class FrameRole : uint8_t { kExact, kReturn };
inline constexpr std::array<FrameRole, 2> kFrameRoles{FrameRole::kExact, FrameRole::kReturn};

class FrameAddresses {
 public:
  // All must outlive this. `owners` are of the images of `binaries`. O(frames of all stacks).
  FrameAddresses(const StackProfile& profile, const BinarySet& binaries,
                 const MappingOwners& owners);

  // The role of frame `i` of a stack, leaf first.
  FrameRole role_of(std::span<const LocationId> stack, size_t i) const {
    bool is_exact = i == 0 || (is_kernel(stack[i - 1]) && !is_kernel(stack[i]));
    return is_exact ? FrameRole::kExact : FrameRole::kReturn;
  }
  // Does any stack have it in this role?
  bool is_used(LocationId location, FrameRole role) const {
    return uses_[static_cast<size_t>(location)][static_cast<size_t>(role)];
  }
  bool is_kernel(LocationId location) const { return is_kernel_[static_cast<size_t>(location)]; }
  // The code to look up, in the binary of the location's mapping; nothing where it is in none.
  OptElfAddr find_code(LocationId location, FrameRole role) const;

 private:
  const StackProfile& profile_;
  const BinarySet& binaries_;
  const MappingOwners& owners_;
  std::vector<bool> is_kernel_;            // of locations
  std::vector<std::array<bool, 2>> uses_;  // of locations, by role
};

}  // namespace pgo
