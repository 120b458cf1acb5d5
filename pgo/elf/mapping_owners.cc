#include "pgo/elf/mapping_owners.h"

#include <algorithm>

namespace pgo {
namespace {

ImageMatch find_owner(const StackProfile& profile, const StackMapping& mapping,
                      const std::vector<const ElfImage*>& images, OtherBuilds other_builds) {
  std::string_view file = profile.text(mapping.filename);
  ImageMatch owner;
  if (file.starts_with("[kernel")) owner.reason = Dropped::kKernel;
  if (file == "[vdso]" || file == "[vsyscall]") owner.reason = Dropped::kVdso;
  if (file.starts_with('[')) return owner;
  BuildId id = profile.build_id_of(mapping);
  owner = match_image(id, file, images);
  bool other_build = !owner.image && owner.reason == Dropped::kBuildIdMismatch;
  if (other_build && other_builds == OtherBuilds::kWillDo) owner = match_image({}, file, images);
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

}  // namespace

MappingOwners::MappingOwners(const StackProfile& profile,
                             const std::vector<const ElfImage*>& images, OtherBuilds other_builds)
    : profile_(profile), images_(images) {
  for (const StackMapping& mapping : profile.mappings)
    owners_.push_back(find_owner(profile, mapping, images, other_builds));
}

OptElfAddr MappingOwners::find_code(MappingId id, RuntimeAddr address) const {
  if (id == kNoMapping) return {};
  const auto& owner = (*this)[id].image;
  if (!owner) return {};
  const ElfImage& image = *images_[*owner];
  const StackMapping& mapping = profile_.mappings[static_cast<size_t>(id)];
  if (mapping.holds(address)) {
    FileOffset offset = mapping.file_offset + (address - mapping.begin);
    std::optional<ElfAddr> found = image.to_elf_addr(offset, SegmentKind::kExecutable);
    return found ? OptElfAddr(*found) : OptElfAddr();
  }
  ElfAddr own{address.value};
  return is_code_of(image, own) ? OptElfAddr(own) : OptElfAddr();
}

bool MappingOwners::any() const {
  return std::any_of(owners_.begin(), owners_.end(),
                     [](const ImageMatch& owner) { return owner.image.has_value(); });
}

void MappingOwners::warn_of_names(const std::vector<bool>& used, const std::string& name,
                                  Diagnostics& diagnostics) const {
  for (size_t i = 0; i < used.size(); i++) {
    if (!used[i]) continue;
    const ImageMatch& owner = owners_[i];
    std::string file(profile_.text(profile_.mappings[i].filename));
    BuildId id = profile_.build_id_of(profile_.mappings[i]);
    if (owner.is_ambiguous())
      diagnostics.warn("ambiguous-name",
                       name + ": " + describe_ambiguity(owner, id, file, images_));
    if (!owner.by_name || !owner.image) continue;
    const ElfImage& image = *images_[*owner.image];
    if (id.empty() || image.build_id().empty())
      diagnostics.warn(kMatchedByName, name + ": has no build ID for " + file +
                                           ", which was matched with " + image.path() +
                                           " by its file name");
    else
      diagnostics.warn("another-build", name + ": is of build " + id.hex() + " of " + file +
                                            ", and " + image.path() + " is build " +
                                            image.build_id().hex() +
                                            "; names and lines are looked up in it anyway");
  }
}

}  // namespace pgo
