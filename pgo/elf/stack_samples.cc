#include "pgo/elf/stack_samples.h"

#include <algorithm>
#include <utility>

#include "pgo/elf/mapping_owners.h"
#include "pgo/profile/call_counts.h"
#include "pgo/profile/sample_value.h"

namespace pgo {
namespace {

// A frame of a stack: where it is, or why that is not known.
struct Frame {
  StackFrame place;  // `binary` is the image's number
  Dropped reason = Dropped::kUnmapped;
};

// Where each location of a profile is in the images.
class Frames {
 public:
  Frames(const StackProfile& profile, const std::vector<const ElfImage*>& images)
      : owners_(profile, images, OtherBuilds::kAreOthers) {
    for (const StackLocation& location : profile.locations) frames_.push_back(place(location));
  }

  const Frame& operator[](LocationId location) const {
    return frames_[static_cast<size_t>(location)];
  }
  const MappingOwners& owners() const { return owners_; }

 private:
  Frame place(const StackLocation& location) const;

  MappingOwners owners_;
  std::vector<Frame> frames_;  // of locations
};

Frame Frames::place(const StackLocation& location) const {
  Frame frame;
  if (location.mapping == kNoMapping) return frame;
  const ImageMatch& owner = owners_[location.mapping];
  frame.reason = owner.image ? Dropped::kNotCode : owner.reason;
  if (!owner.image) return frame;
  frame.place = {*owner.image, owners_.find_code(location.mapping, location.address)};
  return frame;
}

}  // namespace

Result<StackCounts> count_stack_samples(const StackProfile& profile,
                                        const std::vector<const ElfImage*>& images,
                                        const std::string& sample_type, const std::string& name) {
  AddressProfile result;
  PGO_TRY(SampleValue column, choose_sample_value(profile, sample_type, name, result.diagnostics));
  Frames frames(profile, images);
  CallCounts calls(images.size());
  std::vector<StackFrame> places;  // of one stack
  for (const ElfImage* image : images)
    result.binaries.push_back({image->build_id(), image->path(), {}, {}, {}, {}});
  std::vector<bool> used(profile.mappings.size());
  std::vector<uint64_t> others(profile.mappings.size());
  for (size_t s = 0; s < profile.samples.size(); s++) {
    auto [count, weight] = column.take(profile, s);
    if (weight == 0) continue;
    result.samples.seen = saturating_add(result.samples.seen, count);
    std::span<const LocationId> stack =
        profile.stacks[static_cast<size_t>(profile.samples[s].stack)];
    std::optional<Dropped> reason = Dropped::kUnmapped;
    if (!stack.empty()) {
      const StackLocation& leaf = profile.locations[static_cast<size_t>(stack[0])];
      const Frame& frame = frames[stack[0]];
      reason = frame.reason;
      if (leaf.mapping != kNoMapping) used[static_cast<size_t>(leaf.mapping)] = true;
      if (reason == Dropped::kOtherBinary) {  // so there is a mapping
        uint64_t& other = others[static_cast<size_t>(leaf.mapping)];
        other = saturating_add(other, count);
      }
      if (frame.place.addr) {
        result.binaries[frame.place.binary].pc_samples.push_back(
            {*frame.place.addr, count, weight});
        reason.reset();
      }
      places.clear();
      for (LocationId location : stack) places.push_back(frames[location].place);
      calls.add(places, weight);
    }
    uint64_t& sum = reason ? result.samples[*reason] : result.samples.pending;
    sum = saturating_add(sum, count);
  }
  frames.owners().warn_of_names(used, name, result.diagnostics);
  result.events.push_back(
      {column.event, result.samples.seen, column.weight, false, BranchRecords::kNone});
  calls.add_to(result.binaries);
  result.normalize();
  return StackCounts{std::move(result), std::move(others)};
}

}  // namespace pgo
