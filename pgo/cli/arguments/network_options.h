// The options of commands that fetch over the network.
#pragma once

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/network_arguments.h"

namespace pgo {

void add_network_options(CommandLine& line, NetworkArguments& arguments);

}  // namespace pgo
