// How the calls of this folder get at a registry: remote ones need the network, which only the
// program has.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "pgo/base/result.h"
#include "pgo/registry/reference.h"
#include "pgo/registry/registry.h"

namespace pgo {

enum class RegistryUse : uint8_t { kRead, kPush };

using OpenRegistry =
    std::function<Result<std::unique_ptr<Registry>>(const RegistryReference&, RegistryUse)>;

}  // namespace pgo
