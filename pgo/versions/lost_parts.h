// LostParts: what a registry does not have any more of a version that a lock file pins: its
// manifest, files, or the signature that the lock file requires. Builds cannot pull such a version.
// If the cache has the lost parts, they can be pushed again under the same digest.
//
//   PinnedPlace place{.entry = entry, .lock = "pgo.lock", .name = "queryd", .open = open, ...};
//   PGO_TRY(const LostParts lost, find_lost_parts(place));
//   if (lost.is_any() && can_push_again(lost, place)) PGO_CHECK(push_again(lost, place));
#pragma once

#include <string>
#include <vector>

#include "pgo/registry/lock_file.h"
#include "pgo/registry/oci_manifest.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

// A pinned version, and where it may be.
struct PinnedPlace {
  LockEntry entry;
  std::string lock, name;  // the lock file, and the name of the entry in it
  OpenRegistry open;
  std::string cache;  // its directory
};

struct LostParts {
  std::string repository;  // that was looked in
  // "the pinned version sha256:…", "queryd.prof of the pinned version sha256:…", or "the signature
  // of the pinned version sha256:…": the first lost part; empty: nothing is lost.
  std::string first;
  bool is_manifest = false, is_signature = false;
  std::vector<OciDescriptor> files;
  std::string manifest;   // its bytes, of the registry or the cache; empty: neither has it
  std::string signature;  // a valid one of the cache, where it is lost; empty: the cache has none

  bool is_any() const { return !first.empty(); }
  bool has_lost(const ProfileFile& file) const;
};

// A damaged part is lost, too, as far as Registry::has_blob() can tell. What is there is kept in
// the cache: manifest and signature. Errors: those of the registry and of the cache, but a
// directory that is missing has lost all; kUsage for a lock file with a wrong reference; kInput for
// one with a wrong key.
Result<LostParts> find_lost_parts(const PinnedPlace& place);

// Does the cache have all lost parts? Error: kIo.
Result<bool> can_push_again(const LostParts& lost, const PinnedPlace& place);
// Errors: those of the registry; kIo.
Result<void> push_again(const LostParts& lost, const PinnedPlace& place);

}  // namespace pgo
