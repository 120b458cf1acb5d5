// BOLT's profile as YAML (perf2bolt -profile-format=yaml): functions, blocks and their counts, by
// hashes of the code. Only its header is read here, for the build that it is of; llvm-bolt reads
// the rest.
//
//   ---
//   header:
//     profile-version: 1
//     binary-name:     server
//     binary-build-id: 0b286087ce93a9612f5168ea0a9d5137c5e5ab9e
#pragma once

#include "pgo/base/build_id.h"
#include "pgo/base/bytes.h"

namespace pgo {

// Does the text begin like one?
bool is_bolt_yaml(Bytes bytes);

// The build that the profile is of; empty when it does not say.
BuildId bolt_yaml_build_id(Bytes bytes);

}  // namespace pgo
