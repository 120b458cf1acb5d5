// pull(): the files of a version, into the cache of blobs, and from there to a directory.
//
//   PullRequest request{.from = reference, .open = open, .cache = cache, .output = "profiles"};
//   PGO_TRY(PullResult result, pull(request));
//
// A blob is <cache>/blobs/sha256/<hex of its digest>: whoever has a lock file finds it there, and
// checks it, without pgo. What a lock file names stays in the cache, until 90 days after it was
// last pulled.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/registry/lock_file.h"
#include "pgo/versions/registry_opener.h"
#include "pgo/versions/version_signature.h"

namespace pgo {

struct PullRequest {
  // A version; or nothing, and all that `lock` names, or only its profiles `names`.
  std::optional<RegistryReference> from;
  std::string lock;
  std::vector<std::string> names;
  std::optional<RequiredSignature> verify;  // by whom, also where `lock` asks none
  OpenRegistry open;
  std::string cache;   // its directory
  std::string output;  // a directory for copies of the files; empty: none are made
  // Which files of a version are pulled; empty: all.
  std::function<Result<std::vector<ProfileFile>>(const std::vector<ProfileFile>&)> choose;
};

struct PulledFile {
  std::string profile;  // its name in the lock file; empty: a reference was pulled
  ProfileFile file;
  std::string path;         // of the copy, or in the cache
  bool was_cached = false;  // it was not fetched
};

struct PullResult {
  std::string digest;  // of the manifest, when a reference was pulled
  std::vector<PulledFile> files;
  std::set<std::string> verified_keys;  // the IDs of keys whose signatures were verified
  uint64_t fetched_bytes = 0;
  Diagnostics diagnostics;
};

// With everything in the cache, a lock file needs no registry. Copies of several profiles of a lock
// file are in folders with their names. They are made when everything is in the cache; files that
// are in these folders already, with other names, stay. Nothing is pulled of a version without the
// signatures that `verify` and the lock file require. Errors: those of the registry; kMismatch for
// signatures; kUsage for a reference without tag and digest, and for names that the lock file does
// not have; kIo.
Result<PullResult> pull(const PullRequest& request);

}  // namespace pgo
