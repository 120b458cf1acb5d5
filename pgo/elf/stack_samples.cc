#include "pgo/elf/stack_samples.h"

#include <algorithm>

#include "pgo/profile/call_counts.h"
#include "pgo/profile/sample_column.h"

namespace pgo {
namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// What one mapping is: one of the images, or why it is none.
struct Owner {
  const ElfImage* image = nullptr;
  size_t number = 0;
  Dropped reason = Dropped::kOtherBinary;
  bool by_name = false;
};

// A frame of a stack: where it is, or why that is not known.
struct Frame {
  StackFrame place;  // `binary` is the image's number
  Dropped reason = Dropped::kUnmapped;
};

// Where each location of a profile is in the images.
class Frames {
 public:
  Frames(const StackProfile& profile, const std::vector<const ElfImage*>& images)
      : profile_(profile), images_(images) {
    for (const StackMapping& mapping : profile.mappings) owners_.push_back(find_owner(mapping));
    for (const StackLocation& location : profile.locations) frames_.push_back(place(location));
  }

  const Frame& operator[](LocationId location) const {
    return frames_[static_cast<size_t>(location)];
  }
  const std::vector<Owner>& owners() const { return owners_; }

 private:
  Owner find_owner(const StackMapping& mapping) const;
  Frame place(const StackLocation& location) const;

  const StackProfile& profile_;
  const std::vector<const ElfImage*>& images_;
  std::vector<Owner> owners_;  // of mappings
  std::vector<Frame> frames_;  // of locations
};

Owner Frames::find_owner(const StackMapping& mapping) const {
  std::string_view file = profile_.text(mapping.filename);
  Owner owner;
  if (file.starts_with("[kernel")) owner.reason = Dropped::kKernel;
  if (file == "[vdso]" || file == "[vsyscall]") owner.reason = Dropped::kVdso;
  if (file.starts_with('[')) return owner;
  BuildId id = profile_.build_id_of(mapping);
  for (size_t i = 0; i < images_.size(); i++) {
    const ElfImage& image = *images_[i];
    bool same_name = base_name(image.path()) == base_name(file);
    bool has_ids = !id.empty() && !image.build_id().empty();
    if (has_ids ? id.matches(image.build_id()) : same_name)
      return {&image, i, Dropped::kOtherBinary, !has_ids};
    if (has_ids && same_name) owner.reason = Dropped::kBuildIdMismatch;
  }
  if (file.empty() && id.empty()) owner.reason = Dropped::kAnonymous;
  return owner;
}

bool is_code_of(const ElfImage& image, ElfAddr addr) {
  return std::any_of(image.segments().begin(), image.segments().end(),
                     [&](const ElfImage::Segment& segment) {
                       return segment.executable && addr >= segment.addr &&
                              addr.value - segment.addr.value < segment.file_size;
                     });
}

Frame Frames::place(const StackLocation& location) const {
  Frame frame;
  if (location.mapping == kNoMapping) return frame;
  const StackMapping& mapping = profile_.mappings[static_cast<size_t>(location.mapping)];
  const Owner& owner = owners_[static_cast<size_t>(location.mapping)];
  frame.place.binary = owner.number;
  frame.reason = owner.image == nullptr ? owner.reason : Dropped::kNotCode;
  if (owner.image == nullptr) return frame;
  bool of_process = mapping.begin.value != 0 && location.address >= mapping.begin &&
                    location.address < mapping.end;
  if (of_process) {
    FileOffset offset{location.address.value - mapping.begin.value + mapping.file_offset.value};
    if (auto found = owner.image->to_elf_addr(offset, SegmentKind::kExecutable))
      frame.place.addr = *found;
  } else if (ElfAddr own{location.address.value}; is_code_of(*owner.image, own)) {
    frame.place.addr = own;
  }
  return frame;
}

}  // namespace

Result<AddressProfile> count_stack_samples(const StackProfile& profile,
                                           const std::vector<const ElfImage*>& images,
                                           const std::string& sample_type,
                                           const std::string& name) {
  PGO_TRY(SampleColumn column, choose_sample_column(profile, sample_type, name));
  Frames frames(profile, images);
  CallCounts calls(images.size());
  std::vector<StackFrame> places;  // of one stack
  AddressProfile result;
  for (const ElfImage* image : images)
    result.binaries.push_back({image->build_id(), image->path(), {}, {}, {}, {}});
  std::vector<bool> used(profile.mappings.size());
  for (size_t s = 0; s < profile.samples.size(); s++) {
    uint64_t count = column.samples_of(profile, s);
    if (count == 0) continue;
    result.samples.seen = saturating_add(result.samples.seen, count);
    std::span<const LocationId> stack =
        profile.stacks[static_cast<size_t>(profile.samples[s].stack)];
    Dropped reason = Dropped::kUnmapped;
    if (!stack.empty()) {
      const StackLocation& leaf = profile.locations[static_cast<size_t>(stack[0])];
      const Frame& frame = frames[stack[0]];
      reason = frame.reason;
      if (frame.place.addr) {
        used[static_cast<size_t>(leaf.mapping)] = true;
        result.binaries[frame.place.binary].ips.push_back({*frame.place.addr, count});
        reason = Dropped::kWithoutStack;
      }
      places.clear();
      for (LocationId location : stack) places.push_back(frames[location].place);
      calls.add(places, StackTop::kLeaf, count);
    }
    result.samples[reason] = saturating_add(result.samples[reason], count);
  }
  for (size_t i = 0; i < used.size(); i++)
    if (used[i] && frames.owners()[i].by_name)
      result.diagnostics.warn("matched-by-name",
                              name + ": has no build id for " +
                                  std::string(profile.text(profile.mappings[i].filename)) +
                                  ", which was matched with " + frames.owners()[i].image->path() +
                                  " by its file name");
  result.events.push_back({std::string(profile.text(profile.sample_types[column.index].type)),
                           result.samples.seen,
                           static_cast<uint64_t>(std::max<int64_t>(profile.period, 0)), false});
  calls.add_to(result.binaries);
  result.normalize();
  return result;
}

}  // namespace pgo
