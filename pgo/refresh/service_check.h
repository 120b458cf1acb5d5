// check_service(): what contradicts itself in a [service.NAME] of pgo.toml, before anything is
// done.
#pragma once

#include "pgo/base/result.h"
#include "pgo/config/service_config.h"

namespace pgo {

// A name, outputs, gates and binaries that cannot go together. Error: kUsage, with the place in
// pgo.toml.
Result<void> check_service(const ServiceConfig& service);

}  // namespace pgo
