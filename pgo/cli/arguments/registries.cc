#include "pgo/cli/arguments/registries.h"

#include <utility>

#include "pgo/cli/arguments/shared_options.h"
#include "pgo/registry/oci_layout.h"

namespace pgo {
namespace {

Result<std::unique_ptr<Registry>> as_registry(Result<std::unique_ptr<OciLayout>> layout) {
  if (!layout) return std::move(layout).failure();
  return std::unique_ptr<Registry>(*std::move(layout));
}

}  // namespace

Result<std::unique_ptr<Registry>> open_registry(const RegistryReference& reference,
                                                RegistryUse use) {
  if (reference.kind == RegistryReference::Kind::kRemote)
    return fail(ErrorKind::kUnsupported,
                reference_text(reference) + ": registries in the network are not supported yet",
                "use a directory, oci-dir:PATH; 'skopeo copy oci:PATH:TAG docker://...' takes "
                "versions from there to a registry");
  return as_registry(use == RegistryUse::kPush ? OciLayout::open_to_push(reference.path)
                                               : OciLayout::open(reference.path));
}

void add_lock_option(CommandLine& line, std::string& lock) {
  line.option("--lock", lock, "The lock file").show_default();
}

}  // namespace pgo
