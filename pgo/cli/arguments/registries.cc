#include "pgo/cli/arguments/registries.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "pgo/cli/arguments/shared_options.h"
#include "pgo/config/config.h"
#include "pgo/registry/oci_layout.h"

#ifdef PRODPGO_NETWORK
#include "pgo/remote_registry/remote_registry.h"
#endif

namespace pgo {
namespace {

Result<std::unique_ptr<Registry>> as_registry(Result<std::unique_ptr<OciLayout>> layout) {
  if (!layout) return std::move(layout).failure();
  return std::unique_ptr<Registry>(*std::move(layout));
}

Result<std::unique_ptr<Registry>> open_remote(const RegistryReference& reference,
                                              [[maybe_unused]] const RegistryArguments& arguments) {
#ifdef PRODPGO_NETWORK
  RemoteRegistryOptions options;
  options.http = http_options(arguments.network);
  options.plain_http = arguments.plain_http;
  return std::unique_ptr<Registry>(
      std::make_unique<RemoteRegistry>(reference.host, reference.path, std::move(options)));
#else
  return fail(ErrorKind::kUnsupported,
              reference_text(reference) + ": this pgo was built without network",
              "use a directory, oci-dir:PATH");
#endif
}

}  // namespace

void add_registry_options(CommandLine& line, RegistryArguments& arguments) {
  line.flag("--plain-http", arguments.plain_http,
            "Use http instead of https for registries (this machine: always http)")
      .group("Network");
  add_network_options(line, arguments.network);
}

OpenRegistry registry_opener(const RegistryArguments& arguments) {
  return [arguments](const RegistryReference& reference, RegistryUse use) {
    if (reference.kind == RegistryReference::Kind::kRemote)
      return open_remote(reference, arguments);
    return as_registry(use == RegistryUse::kPush ? OciLayout::open_to_push(reference.path)
                                                 : OciLayout::open(reference.path));
  };
}

Option add_lock_option(CommandLine& line, std::string& lock) {
  return line
      .option("--lock", lock,
              "The lock file (default: the nearest pgo.lock, in the current directory\n"
              "or above it)")
      .group(kLockGroup);
}

std::string chosen_lock(const std::string& lock) {
  if (!lock.empty()) return lock;
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::path directory = fs::current_path(error); !directory.empty();
       directory = directory.parent_path()) {
    if (fs::exists(directory / kDefaultLock, error) || fs::exists(directory / kConfigName, error))
      return fs::proximate(directory / kDefaultLock, error);
    if (fs::exists(directory / ".git", error) || !directory.has_relative_path()) break;
  }
  return kDefaultLock;
}

}  // namespace pgo
