#include "pgo/versions/locked_reference.h"

#include <filesystem>

#include "pgo/base/atomic_file.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

bool is_relative(const RegistryReference& reference) {
  return reference.kind == RegistryReference::Kind::kLayout && !reference.path.starts_with('/');
}

}  // namespace

Result<std::string> reference_in_lock(const RegistryReference& reference, const std::string& lock) {
  RegistryReference stored = reference;
  stored.digest.clear();
  if (is_relative(reference)) {
    PGO_TRY(const std::string file, resolve_links(lock));
    const fs::path folder = fs::absolute(file).parent_path().lexically_normal();
    stored.path = fs::absolute(reference.path).lexically_normal().lexically_relative(folder);
  }
  return reference_text(stored);
}

Result<RegistryReference> locked_reference(const LockEntry& entry, const std::string& lock) {
  PGO_TRY(RegistryReference reference, parse_reference(entry.reference));
  if (is_relative(reference)) {
    PGO_TRY(const std::string file, resolve_links(lock));
    reference.path = (fs::path(file).parent_path() / reference.path).lexically_normal();
  }
  reference.digest = entry.manifest;
  return reference;
}

}  // namespace pgo
