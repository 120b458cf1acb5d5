// References of registries on the command line: which argument names what kind of registry.
#pragma once

#include <string>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

struct RegistryArguments {
  NetworkArguments network;
  bool plain_http = false;
};

// The options of commands that reach registries.
void add_registry_options(CommandLine& line, RegistryArguments& arguments);

// What opens a registry. Its errors: kUnsupported for one that needs the network in a build without
// it; those of the registry.
OpenRegistry registry_opener(const RegistryArguments& arguments);

// --lock, which names one lock file; empty: the default.
Option add_lock_option(CommandLine& line, std::string& lock);
inline constexpr const char* kDefaultLock = "pgo.lock";

// The argument of --lock, or else the nearest pgo.lock, in the current directory or above it,
// within one repository of git. Where a pgo.toml is nearer, the lock file belongs beside it.
std::string chosen_lock(const std::string& lock);

}  // namespace pgo
