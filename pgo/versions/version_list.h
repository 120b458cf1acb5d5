// list_versions(): the versions of a profile that a registry has, newest first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/registry/profile_version.h"
#include "pgo/registry/registry.h"

namespace pgo {

struct ListedVersion {
  std::string digest;             // of the manifest
  std::vector<std::string> tags;  // sorted
  ProfileVersion version;
  uint64_t size = 0;                      // of its files, in bytes
  std::vector<std::string> signers = {};  // claimed_signers(); empty until add_signers()
};

// Another artifact in the same place: a signature, or what another tool keeps there.
struct OtherArtifact {
  std::string digest, type;
  std::vector<std::string> tags;
  std::string subject;  // the digest that it is about; empty: none
};

// What cannot be read. Whether it is a version is not known.
struct DamagedArtifact {
  std::string digest;  // empty: a remote registry knows it by a tag only
  std::vector<std::string> tags;
  std::string reason;  // an error message
};

struct VersionList {
  // By the end of the window, the latest first; those without a window last; then by digest.
  std::vector<ListedVersion> versions;
  std::vector<OtherArtifact> others;     // by digest
  std::vector<DamagedArtifact> damaged;  // by digest, then by tag
};

// Reads each manifest. Errors: kIo of the registry; kInput when there is no such repository. What
// is damaged is listed as such.
Result<VersionList> list_versions(Registry& registry);
// Who says to have signed each version; "damaged" where the list of what refers to it cannot be
// read. Errors: kIo of the registry.
Result<void> add_signers(Registry& registry, VersionList& list);

}  // namespace pgo
