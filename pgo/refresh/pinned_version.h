// PinnedVersion: what a lock file pins for a service, and files of that version.
//
//   PGO_TRY(PinnedVersion pinned, PinnedVersion::read(lock, "queryd", open, cache, diagnostics));
//   if (pinned.entry()) ... pinned.files({FileKind::kLlvm})
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/registry/lock_file.h"
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
  // What the registry does not have of it any more: "the pinned version sha256:…", or
  // "queryd.prof of the pinned version sha256:…"; empty: it has all. What is damaged is lost.
  // Errors: those of the registry; kUsage for a lock file with a wrong reference.
  Result<std::string> lost_part() const;
  // In the cache: fetched from the registry, with the signature that the lock file requires. None
  // when nothing is pinned. Errors: those of pull().
  Result<std::vector<PulledFile>> files(const std::vector<FileKind>& kinds) const;

 private:
  std::string lock_, name_, cache_;
  OpenRegistry open_;
  std::optional<LockEntry> entry_;
};

}  // namespace pgo
