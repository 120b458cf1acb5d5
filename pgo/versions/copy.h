// copy_version(): a version, with all that refers to it (signatures), from one registry to another,
// byte by byte: digests stay.
#pragma once

#include <string>

#include "pgo/versions/registry_opener.h"

namespace pgo {

struct CopyRequest {
  RegistryReference from;  // with a tag or a digest
  RegistryReference to;    // without a digest; its tag, or else that of `from`, names the copy
  OpenRegistry open;
};

struct CopyResult {
  std::string digest, tag;
  std::string moved_from;  // the digest that the tag named before; empty: none, or this one
  uint64_t referrers = 0;
  uint64_t copied_blobs = 0, copied_bytes = 0;  // the others were there
};

// Any OCI artifact or image is copied, with the media type that its registry says. Errors: those of
// the registries; kInput for more than 1000 referrers, and for a blob of more
// than kMaxStoredFile; kUsage for a reference that does not say
// which version; kUnsupported for an index of several images.
Result<CopyResult> copy_version(const CopyRequest& request);

}  // namespace pgo
