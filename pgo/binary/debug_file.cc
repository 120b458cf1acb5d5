#include "pgo/binary/debug_file.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/CRC.h>

#include <filesystem>

namespace pgo {
namespace {

namespace fs = std::filesystem;

// Is the file at `path` an ELF file with debug information of the same build? Without build IDs
// the checksum of a debug link tells.
bool belongs_to(const ElfImage& image, const std::string& path,
                const std::optional<ElfImage::DebugLink>& link) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  Result<ElfImage> debug = ElfImage::open(path);
  if (!debug || !has_debug_info(*debug)) return false;
  if (!image.build_id().empty()) return debug->build_id().matches(image.build_id());
  return link && has_checksum(*debug, *link);
}

// Of the files that the user named, the one of the same build. Without a build ID on either side
// the checksum of the debug link tells, and where there is no link either, there must be no choice.
Result<std::optional<std::string>> find_named(const ElfImage& image,
                                              const std::vector<std::string>& files) {
  using Found = std::optional<std::string>;
  std::optional<ElfImage::DebugLink> link = image.debug_link();
  std::vector<std::string> without_id;
  for (const std::string& path : files) {
    PGO_TRY(ElfImage debug, ElfImage::open(path));
    if (!image.build_id().empty() && debug.build_id().matches(image.build_id())) return Found(path);
    if (debug.build_id().empty() && (!link || has_checksum(debug, *link)))
      without_id.push_back(path);
  }
  if (!image.build_id().empty() || has_debug_info(image)) return Found();
  if (without_id.empty() || (!link && without_id.size() > 1)) return Found();
  return Found(without_id[0]);
}

}  // namespace

bool has_checksum(const ElfImage& debug, const ElfImage::DebugLink& link) {
  llvm::ArrayRef<uint8_t> bytes(debug.bytes().data(), debug.bytes().size());
  return llvm::crc32(bytes) == link.crc;
}

bool has_debug_info(const ElfImage& image) {
  return image.find_section(".debug_info") != nullptr ||
         image.find_section(".zdebug_info") != nullptr;
}

Result<std::optional<std::string>> find_debug_file(const ElfImage& image,
                                                   const DebugPlaces& places) {
  using Found = std::optional<std::string>;
  PGO_TRY(Found named, find_named(image, places.files));
  if (named || has_debug_info(image)) return named;
  std::string id = image.build_id().hex();
  if (id.size() > 2)
    for (const std::string& root : places.roots) {
      std::string path = root + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
      if (belongs_to(image, path, std::nullopt)) return Found(path);
    }
  if (std::optional<ElfImage::DebugLink> link = image.debug_link()) {
    std::error_code ignored;
    fs::path folder = fs::absolute(image.path(), ignored).parent_path();
    std::vector<fs::path> candidates{folder / link->file_name, folder / ".debug" / link->file_name};
    for (const std::string& root : places.roots)
      candidates.push_back(fs::path(root) / folder.relative_path() / link->file_name);
    for (const fs::path& place : candidates)
      if (belongs_to(image, place.string(), link)) return Found(place.string());
  }
  return Found();
}

}  // namespace pgo
