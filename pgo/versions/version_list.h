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

struct VersionList {
  // By the end of the window, the latest first; those without a window last; then by digest.
  std::vector<ListedVersion> versions;
  std::vector<OtherArtifact> others;  // by digest
};

// Reads each manifest. Errors: those of the registry and of damaged manifests.
Result<VersionList> list_versions(Registry& registry);
// Who says to have signed each version. Errors: those of the registry.
Result<void> add_signers(Registry& registry, VersionList& list);

}  // namespace pgo
