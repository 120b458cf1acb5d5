#include "pgo/cli/arguments/services.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pgo/base/spelling.h"
#include "pgo/cli/arguments/archives.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/source/source_address.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// A relative path in pgo.toml counts from its directory.
void move_path(std::string& path, const std::string& directory) {
  if (!directory.empty() && !path.empty() && fs::path(path).is_relative())
    path = (fs::path(directory) / path).lexically_normal();
}

// The same for a place: "dir:PATH", "oci-dir:PATH", a path. URLs stay, and slips such as "s3:/x".
void move_place(std::string& place, const std::string& directory) {
  for (const std::string prefix : {"oci-dir:", "dir:"}) {
    if (!place.starts_with(prefix)) continue;
    std::string path = place.substr(prefix.size());
    move_path(path, directory);
    place = prefix + path;
    return;
  }
  if (!is_reference(place) && !parse_source_address(place) && !looks_like_address(place))
    move_path(place, directory);
}

void move_paths(ServiceConfig& service, const std::string& directory) {
  for (std::vector<PlacedText>* places : {&service.sources, &service.binaries})
    for (PlacedText& place : *places) move_place(place.text, directory);
  move_place(service.registry.text, directory);
  if (service.lock.empty()) service.lock = {kDefaultLock, service.place};
  move_path(service.lock.text, directory);
  for (PlacedText& build : service.current_builds) move_path(build.text, directory);
}

// Errors of what pgo.toml names, with its place there.
template <typename T>
Result<T> at_place(const ServiceConfig& service, const char* key, const PlacedText& text,
                   Result<T> result) {
  if (result) return result;
  Error error = result.error();
  error.message = text.place + ": service." + service.name + "." + key + ": " + error.message;
  return fail(std::move(error));
}

Result<std::string> path_of_config(const ConfigArgument& argument) {
  if (argument.file == ConfigArgument{}.file) {
    if (std::optional<std::string> found = find_config(".")) return *std::move(found);
    return fail(ErrorKind::kUsage,
                "no pgo.toml was found in the current directory or above it; it names the "
                "services",
                "'pgo init' writes one");
  }
  if (argument.file.empty())
    return fail(ErrorKind::kUsage, "--config '': the services are in pgo.toml");
  return argument.file;
}

Result<void> choose(const std::vector<std::string>& names, const std::string& config,
                    std::vector<ServiceConfig>& services) {
  if (services.empty())
    return fail(ErrorKind::kUsage, config + ": has no table [service.NAME]",
                "'pgo init -o -' shows one");
  if (names.empty()) return ok();
  std::vector<std::string> known;
  for (const ServiceConfig& service : services) known.push_back(service.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail(ErrorKind::kUsage, "--service " + name + ": " + config +
                                         " has no table [service." + name + "]" +
                                         did_you_mean(name, known));
  std::erase_if(services, [&](const ServiceConfig& service) {
    return std::find(names.begin(), names.end(), service.name) == names.end();
  });
  return ok();
}

}  // namespace

void add_service_options(CommandLine& line, ServiceArguments& arguments) {
  line.option("--service", arguments.names,
              "Only this service of pgo.toml, by its name; may be given several times")
      .group(kInputGroup);
  add_config_option(line, arguments.config, "the services");
}

Result<ConfiguredServices> load_services(const ServiceArguments& arguments) {
  ConfiguredServices configured;
  PGO_TRY(configured.config, path_of_config(arguments.config));
  PGO_TRY(Config config, read_config(configured.config));
  print_warnings(config.diagnostics);
  PGO_CHECK(choose(arguments.names, configured.config, config.services));
  std::error_code error;
  const fs::path parent = fs::absolute(configured.config, error).parent_path();
  const fs::path directory = fs::proximate(parent, error);
  if (directory != ".") configured.directory = directory;
  for (ServiceConfig& service : config.services) move_paths(service, configured.directory);
  configured.services = std::move(config.services);
  configured.limits = fetch_limits(config.fetch);
  return configured;
}

Result<OpenedService> open_service(const ServiceConfig& service, const ServiceArguments& arguments,
                                   const BlobCache& cache) {
  OpenedService opened;
  PGO_TRY(opened.registry,
          at_place(service, "registry", service.registry, parse_reference(service.registry.text)));
  if (!opened.registry.version().empty())
    return fail(ErrorKind::kUsage,
                service.registry.place + ": service." + service.name +
                    ".registry: " + service.registry.text + " names a version",
                "leave out the tag and the digest: each run makes a tag");
  for (const PlacedText& text : service.sources) {
    PGO_TRY(std::unique_ptr<Source> source,
            at_place(service, "source", text,
                     open_source(text.text, {.path_template = service.path_template.text,
                                             .network = arguments.registry.network})));
    opened.sources.push_back(std::move(source));
  }
  for (const PlacedText& text : service.binaries) {
    PGO_TRY(
        std::unique_ptr<BuildArchive> archive,
        at_place(service, "binaries", text, open_archive(text.text, arguments.registry, cache)));
    opened.archives.push_back(std::move(archive));
  }
  return opened;
}

Error error_of_service(const ServiceConfig& service, Error error) {
  error.message = service.name + ": " + error.message;
  return error;
}

}  // namespace pgo
