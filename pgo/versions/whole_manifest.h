// Manifests at a destination, before something is written there.
#pragma once

#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/registry/registry.h"

namespace pgo {

// A damaged one is none: it is written again, or loses its tag. Errors: those of the registry.
Result<std::optional<StoredManifest>> find_whole_manifest(Registry& registry,
                                                          const std::string& version);

// The digest that `tag` names until it names `digest`; empty when it names none, or this one, or
// when there is no tag. Errors: those of the registry.
Result<std::string> find_moved_from(Registry& registry, const std::string& tag,
                                    const std::string& digest);

}  // namespace pgo
