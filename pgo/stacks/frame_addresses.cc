#include "pgo/stacks/frame_addresses.h"

namespace pgo {
namespace {

// Kernels have the upper half of the addresses, on every processor that is read here.
constexpr uint64_t kFirstKernelAddress = uint64_t{1} << 63;

// Is `addr` in the middle of an instruction, or is the instruction before it a call?
bool may_follow_call(const CodeMap& code, ElfAddr addr) {
  constexpr unsigned kMaxInstruction = 15;  // bytes
  if (!code.is_code(addr)) return true;
  for (unsigned size = 1; size <= kMaxInstruction && size <= addr.value; size++) {
    CodeByte before = code.at(ElfAddr{addr.value - size});
    if (before.is_code() && before.size() == size && before.kind() == CodeByte::kCall) return true;
  }
  return false;
}

}  // namespace

FrameAddresses::FrameAddresses(const StackProfile& profile, const BinarySet& binaries,
                               const MappingOwners& owners)
    : profile_(profile),
      binaries_(binaries),
      owners_(owners),
      is_kernel_(profile.locations.size()),
      uses_(profile.locations.size()) {
  for (size_t i = 0; i < profile.locations.size(); i++) {
    const StackLocation& location = profile.locations[i];
    is_kernel_[i] =
        location.address.value >= kFirstKernelAddress ||
        (location.mapping != kNoMapping && owners[location.mapping].reason == Dropped::kKernel);
  }
  for (size_t s = 0; s < profile.stacks.size(); s++) {
    std::span<const LocationId> stack = profile.stacks[s];
    for (size_t i = 0; i < stack.size(); i++)
      uses_[static_cast<size_t>(stack[i])][static_cast<size_t>(role_of(stack, i))] = true;
  }
}

OptElfAddr FrameAddresses::find_code(LocationId id, FrameRole role) const {
  const StackLocation& location = profile_.locations[static_cast<size_t>(id)];
  if (location.address.value == 0) return {};
  OptElfAddr own = owners_.find_code(location.mapping, location.address);
  if (role == FrameRole::kExact) return own;
  // A call that does not return may be the last instruction of a mapping: what is behind it is in
  // none.
  OptElfAddr before = owners_.find_code(location.mapping, RuntimeAddr{location.address.value - 1});
  if (!own || !before) return before;
  const std::optional<size_t> image = owners_[location.mapping].image;
  if (!image) return before;
  const Binary& binary = binaries_.binaries()[*image];
  return may_follow_call(*binary.code, *own) ? before : own;
}

}  // namespace pgo
