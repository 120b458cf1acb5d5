#include "pgo/binary/debug_place.h"

#include <optional>

namespace pgo {

Result<DebugPlace> find_debug_info(const ElfImage& image, const DebugPlaces& places) {
  if (has_debug_info(image)) return DebugPlace{image.path(), true};
  PGO_TRY(std::optional<std::string> path, find_debug_file(image, places));
  return DebugPlace{path.value_or(""), false};
}

std::string describe_debug_info(const ElfImage& image, const DebugPlace& place) {
  if (place.own) return "in the file";
  if (!place.path.empty()) return "in " + place.path;
  std::optional<ElfImage::DebugLink> link = image.debug_link();
  if (link)
    return "not found; it should be in " + std::string(link->file_name) +
           " (.gnu_debuglink): name it with \xFF{debug-file}";
  return "none: counts cannot be assigned to source lines; " +
         advise_on_missing(image, std::string("build with ") + kDebugOptions);
}

std::string advise_on_missing(const ElfImage& image, const std::string& build) {
  if (!image.symbols().empty()) return build;
  return "it is stripped: give the file as it was linked, or name its debug file with "
         "\xFF{debug-file}";
}

}  // namespace pgo
