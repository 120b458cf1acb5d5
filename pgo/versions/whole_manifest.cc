#include "pgo/versions/whole_manifest.h"

namespace pgo {

Result<std::optional<StoredManifest>> find_whole_manifest(Registry& registry,
                                                          const std::string& version) {
  Result<std::optional<StoredManifest>> found = registry.find_manifest(version);
  if (!found && found.error().kind == ErrorKind::kInput) return std::optional<StoredManifest>();
  return found;
}

Result<std::string> find_moved_from(Registry& registry, const std::string& tag,
                                    const std::string& digest) {
  if (tag.empty()) return std::string();
  PGO_TRY(const std::optional<StoredManifest> before, find_whole_manifest(registry, tag));
  return before && before->digest != digest ? before->digest : std::string();
}

}  // namespace pgo
