#include "pgo/versions/gc.h"

#include <set>
#include <utility>

#include "pgo/registry/lock_file.h"
#include "pgo/versions/lock_turns.h"

namespace pgo {
namespace {

Result<std::set<std::string>> locked_manifests(const std::vector<std::string>& locks,
                                               Diagnostics& diagnostics) {
  std::set<std::string> digests;
  for (const std::string& path : locks) {
    PGO_TRY(const LockFile lock, read_lock_file(path, diagnostics));
    for (const auto& [name, entry] : lock.profiles) {
      digests.insert(entry.manifest);
      if (!entry.previous.empty()) digests.insert(entry.previous);
    }
  }
  return digests;
}

// Adds to `removed` what refers to one that is in it, and so on.
void add_referrers(const std::vector<OtherArtifact>& others, std::set<std::string>& removed) {
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (const OtherArtifact& other : others)
      if (removed.contains(other.subject) && removed.insert(other.digest).second) is_more = true;
  }
}

}  // namespace

Result<GarbageResult> collect_garbage(const GarbageRequest& request) {
  GarbageResult result;
  if (request.locks.empty())
    result.diagnostics.warn("no-lock-file",
                            "no lock file is named, so versions that builds use may be removed; "
                            "name the lock files with \xFF{lock}");
  LockTurns turns;
  auto choose = [&]() -> Result<std::set<std::string>> {
    // Only now: something may have been pinned while this waited for pushes. A pin that runs may
    // have read the manifest of a version already, and writes it into its lock file next.
    PGO_TRY(turns, wait_for_turns(request.locks));
    PGO_TRY(const std::set<std::string> locked,
            locked_manifests(request.locks, result.diagnostics));
    PGO_TRY(VersionList list, list_versions(*request.layout));
    std::set<std::string> kept = locked, removed;
    for (size_t i = 0; i < list.versions.size(); i++) {
      ListedVersion& version = list.versions[i];
      // Which is the newest of those without a window, nobody knows.
      const bool is_undated = !version.version.window;
      const bool is_kept = i < request.newest || is_undated || locked.contains(version.digest);
      if (is_undated && i >= request.newest && !locked.contains(version.digest))
        result.diagnostics.warn("no-window", version.digest +
                                                 ": stays, because it does not say when it was "
                                                 "recorded; push profiles with the report of their "
                                                 "conversion, or with bundle.json");
      (is_kept ? kept : removed).insert(version.digest);
      (is_kept ? result.kept : result.removed).push_back(std::move(version));
    }
    add_referrers(list.others, removed);
    result.removed_referrers = removed.size() - result.removed.size();
    for (const OtherArtifact& other : list.others)
      if (!removed.contains(other.digest)) kept.insert(other.digest);
    std::set<std::string> unreadable;
    for (const DamagedArtifact& one : list.damaged) {
      unreadable.insert(one.digest);
      kept.insert(one.digest);
      result.diagnostics.warn("unreadable-version",
                              one.digest + ": stays, because it cannot be read: " + one.reason);
    }
    result.unreadable = unreadable.size();
    return kept;
  };
  PGO_TRY(const OciLayout::Garbage garbage,
          request.layout->collect_garbage(request.removal, choose));
  result.blobs = garbage.blobs;
  result.bytes = garbage.bytes;
  return result;
}

}  // namespace pgo
