// --config: which pgo.toml a command reads.
#pragma once

#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/config/config.h"

namespace pgo {

struct ConfigArgument {
  // The default is no path: the nearest pgo.toml.
  std::string file = {'\0'};
};

// `contents`: what the command reads there, for the help.
void add_config_option(CommandLine& line, ConfigArgument& argument,
                       const char* contents = "limits, teams and prices ('' for none)");

// The file that --config names, or else the nearest pgo.toml, in the current directory or above;
// nothing for --config '', and where there is no pgo.toml. The caller prints the diagnostics.
// Errors: those of read_config().
Result<std::optional<Config>> load_config(const ConfigArgument& argument);

}  // namespace pgo
