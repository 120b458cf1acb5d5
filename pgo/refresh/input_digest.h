// A digest of all that a run of `pgo refresh` makes a version from: the profiles with their
// weights, the builds, what the service is to have, and the tool. The same digest: there is nothing
// new. A version carries it in its manifest and in pgo.lock, so no other state is kept.
#pragma once

#include <optional>
#include <string>

#include "pgo/config/service_config.h"
#include "pgo/fetch/fetch.h"
#include "pgo/refresh/found_builds.h"

namespace pgo {

// "sha256:<hex>". When profiles were fetched, from which store and under which names does not
// count.
std::string digest_of_inputs(const ServiceConfig& service, const FetchResult& fetched,
                             const FoundBuilds& builds, const std::string& tool_version);

// "2026-11-26-1f3a9c0b": the end of the window, and what the version was made from.
std::string version_tag(const std::optional<TimeWindow>& window, const std::string& inputs);

}  // namespace pgo
