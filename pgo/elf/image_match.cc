#include "pgo/elf/image_match.h"

#include "pgo/base/file_name.h"

namespace pgo {

std::string_view recorded_file_name(std::string_view path) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  return file_name(path);
}

ImageMatch match_image(const BuildId& id, std::string_view path,
                       const std::vector<const ElfImage*>& images) {
  ImageMatch match;
  for (size_t i = 0; i < images.size() && !id.empty(); i++) {
    if (!images[i]->build_id().matches(id)) continue;
    match.image = i;
    return match;
  }
  std::string_view name = recorded_file_name(path);
  for (size_t i = 0; i < images.size() && !name.empty(); i++) {
    if (name != file_name(images[i]->path())) continue;
    if (id.empty() || images[i]->build_id().empty())
      match.candidates.push_back(i);
    else
      match.reason = Dropped::kBuildIdMismatch;
  }
  if (match.is_ambiguous()) match.reason = Dropped::kAmbiguousName;
  if (match.candidates.size() != 1) return match;
  match.image = match.candidates[0];
  match.by_name = true;
  return match;
}

std::string describe_ambiguity(const ImageMatch& match, const BuildId& id, std::string_view path,
                               const std::vector<const ElfImage*>& images) {
  std::string list;
  for (size_t i : match.candidates)
    list += (list.empty() ? "" : i == match.candidates.back() ? " or " : ", ") + images[i]->path();
  const char* why = id.empty() ? "its build ID is unknown"
                    : images[match.candidates[0]]->build_id().empty()
                        ? "these have no build IDs"
                        : "it is another build than these";
  return std::string(path) + " could be " + list + ", and " + why +
         "; its samples are not used. Name the one that ran";
}

}  // namespace pgo
