// PinnedVersion: what a lock file pins for a service, and files of that version.
//
//   PGO_TRY(PinnedVersion pinned, PinnedVersion::read(lock, "queryd", open, cache, diagnostics));
//   if (pinned.entry()) ... pinned.files({FileKind::kLlvm})
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/registry/lock_file.h"
#include "pgo/versions/lost_parts.h"
#include "pgo/versions/pull.h"

namespace pgo {

class PinnedVersion {
 public:
  // Errors: those of the lock file; a missing one pins nothing.
  static Result<PinnedVersion> read(const std::string& lock, const std::string& name,
                                    OpenRegistry open, const std::string& cache,
                                    Diagnostics& diagnostics);

  const std::optional<LockEntry>& entry() const { return entry_; }
  // The first one, of the program or of this library; null: there is none.
  const ProfileFile* find(FileKind kind, const std::string& library = "") const;
  // The libraries that have a file of this kind.
  std::set<std::string> libraries(FileKind kind) const;

  // Looks what the registry has lost. Errors: those of find_lost_parts().
  Result<void> look_for_lost_parts();
  const LostParts& lost() const { return lost_; }
  // Is `registry` where the lock file says that the version is? Error: kUsage.
  Result<bool> is_in(const RegistryReference& registry) const;
  // Errors: those of can_push_again() and push_again().
  Result<bool> can_push_again() const;
  Result<void> push_again();

  // In the cache: fetched from the registry, with the signature that the lock file requires. None
  // when nothing is pinned. What is lost is left out, unless the cache has it; without the
  // signature, all is. Errors: those of pull().
  Result<std::vector<PulledFile>> files(const std::vector<FileKind>& kinds) const;

 private:
  PinnedPlace place() const { return {entry_.value_or(LockEntry()), lock_, name_, open_, cache_}; }

  std::string lock_, name_, cache_;
  OpenRegistry open_;
  std::optional<LockEntry> entry_;
  LostParts lost_;
};

}  // namespace pgo
