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

namespace pgo {

struct PushRequest {
  DescriptionRequest files;
  RegistryReference to;  // without a digest
  OpenRegistry open;
};

struct PushResult {
  std::string digest;  // of the manifest
  ProfileVersion version;
  bool is_new = false;     // the registry did not have it yet
  std::string moved_from;  // the digest that the tag named before; empty: none, or this one
  uint64_t pushed_files = 0, pushed_bytes = 0;  // the others were there
  Diagnostics diagnostics;
};

// Errors: those of describe_files() and of the registry; kUsage.
Result<PushResult> push(const PushRequest& request);

}  // namespace pgo
