// The services of pgo.toml, as commands use them: with their sources, archives and registries
// opened, and with paths that count from the current directory.
//
//   PGO_TRY(ConfiguredServices services, load_services(arguments));
//   PGO_TRY(OpenedService opened, open_service(services.services[0], arguments, cache));
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/archive/build_archive.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/config_option.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/config/service_config.h"
#include "pgo/fetch/fetch.h"
#include "pgo/registry/reference.h"
#include "pgo/source/blob_cache.h"
#include "pgo/source/source.h"

namespace pgo {

struct ServiceArguments {
  ConfigArgument config;
  std::vector<std::string> names;  // of --service; empty: all
  RegistryArguments registry;
};

// --service and --config.
void add_service_options(CommandLine& line, ServiceArguments& arguments);

struct ConfiguredServices {
  std::string config;     // path of pgo.toml; empty: there is none
  std::string directory;  // of pgo.toml, from the current one; empty: this one
  std::vector<ServiceConfig> services;
  FetchLimits limits;
};

// Those that the arguments name. Errors: those of read_config(); kUsage for a name that pgo.toml
// does not have.
Result<ConfiguredServices> load_services(const ServiceArguments& arguments);

struct OpenedService {
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::unique_ptr<BuildArchive>> archives;
  RegistryReference registry;
};

// `cache` outlives the result. Errors begin with the place in pgo.toml.
Result<OpenedService> open_service(const ServiceConfig& service, const ServiceArguments& arguments,
                                   const BlobCache& cache);

// An error of the work for one service: the name of the service comes first. Errors of
// open_service() begin with their place in pgo.toml instead.
Error error_of_service(const ServiceConfig& service, Error error);

}  // namespace pgo
