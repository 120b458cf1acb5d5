// References of registries on the command line: which argument names what kind of registry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

// Error: kUnsupported for a registry that needs the network; those of the registry.
Result<std::unique_ptr<Registry>> open_registry(const RegistryReference& reference,
                                                RegistryUse use);

// --lock, which names one lock file.
void add_lock_option(CommandLine& line, std::string& lock);
inline constexpr const char* kDefaultLock = "pgo.lock";

}  // namespace pgo
