// push(): files into a registry, as a version of a profile.
//
//   PushRequest request{.files = {{"server.prof", "report.json"}}, .to = reference, .open = open};
//   PGO_TRY(PushResult result, push(request));
//   result.digest              which names these contents for good
//
// The same files give the same digest, in whatever order, on whatever day, from whatever directory.
#pragma once

#include <string>

#include "pgo/versions/described_files.h"
#include "pgo/versions/registry_opener.h"
#include "pgo/versions/version_signature.h"

namespace pgo {

struct PushRequest {
  DescriptionRequest files;
  RegistryReference to;  // without a digest
  OpenRegistry open;
  const minisign::SecretKey* signer = nullptr;  // null: the version is not signed
};

struct PushResult {
  std::string digest;  // of the manifest
  ProfileVersion version;
  bool is_new = false;       // the registry did not have it yet
  bool is_repaired = false;  // it had it, but its manifest or a file was damaged or missing
  std::string moved_from;    // the digest that the tag named before; empty: none, or this one
  uint64_t pushed_files = 0, pushed_bytes = 0;  // the others were there
  std::string signed_by;                        // ID of the key; empty: the request has none
  bool is_signature_new = false;                // the registry did not have it yet
  Diagnostics diagnostics;
};

// A version that is there already is signed, too; one that is damaged is written again. A tag never
// names one before it is signed. Errors: those of describe_files() and of the registry; kUsage;
// kInput for figures that read_profile_version() would refuse.
Result<PushResult> push(const PushRequest& request);

}  // namespace pgo
