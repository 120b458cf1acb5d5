#include "pgo/cli/arguments/config_option.h"

#include <utility>

#include "pgo/cli/arguments/shared_options.h"

namespace pgo {

void add_config_option(CommandLine& line, ConfigArgument& argument, const char* contents) {
  line.option("--config", argument.file,
              std::string("The file with ") + contents +
                  "; default: the nearest\npgo.toml, in the current directory or above it")
      .type_name("FILE")
      .group(kInputGroup)
      .may_be_empty();
}

Result<std::optional<Config>> load_config(const ConfigArgument& argument) {
  using Loaded = std::optional<Config>;
  std::optional<std::string> path = argument.file;
  if (argument.file == ConfigArgument{}.file) path = find_config(".");
  if (!path || path->empty()) return Loaded();
  PGO_TRY(Config config, read_config(*path));
  return Loaded(std::move(config));
}

}  // namespace pgo
