// Archives on the command line: which argument names what kind of archive.
//
//   PGO_TRY(KeepRelease keep, archive_keeper("dir:/srv/builds", arguments));
#pragma once

#include <string>

#include "pgo/archive/kept_release.h"
#include "pgo/cli/arguments/registries.h"

namespace pgo {

// `to`: a path or dir:PATH, a reference of a registry, s3://BUCKET/PREFIX. Errors: kUsage for
// another URL; kUnsupported for one that needs the network in a build without it. Nothing is opened
// before the release is kept.
Result<KeepRelease> archive_keeper(const std::string& to, const RegistryArguments& arguments);

}  // namespace pgo
