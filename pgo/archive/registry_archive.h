// An archive in a registry: one artifact for each build, whose tag is the build ID of the
// executable, with a layer for each file.
//
//   artifactType application/vnd.prodpgo.build.v1
//   layers       application/vnd.prodpgo.{executable,debug,prebolt}.v1, each with the annotation
//                dev.prodpgo.build-id
//
// What an earlier run archived of the build and this one does not name stays in the artifact, also
// what another job archives meanwhile. The same files give the same digest.
#pragma once

#include <memory>

#include "pgo/archive/build_archive.h"
#include "pgo/archive/kept_release.h"
#include "pgo/registry/reference.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

inline constexpr const char* kBuildArtifactType = "application/vnd.prodpgo.build.v1";

// A tag in `to` (the number of the release, say) becomes a second tag of the artifact. Errors: of
// the registry; kUsage for a digest in `to`; kMismatch; kInput where the tag of the build is that
// of another artifact.
Result<KeptRelease> keep_in_registry(const RegistryReference& to, const OpenRegistry& open,
                                     const Release& release);

// Files are fetched into `cache`, which must outlive the archive. The registry is opened when a
// build is looked for. Error: kUsage for a tag or a digest in `from`.
Result<std::unique_ptr<BuildArchive>> open_registry_archive(const RegistryReference& from,
                                                            OpenRegistry open,
                                                            const BlobCache& cache);

}  // namespace pgo
