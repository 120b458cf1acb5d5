// pgo list: the command line of list_versions() (pgo/versions/version_list.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/report/json_text.h"
#include "pgo/report/versions_report.h"

namespace pgo {
namespace {

struct ListArguments {
  std::string reference;
  bool json = false;
  RegistryArguments registry;
};

Result<ExitCode> run_list(const ListArguments& arguments) {
  PGO_TRY(const RegistryReference reference, parse_reference(arguments.reference));
  if (!reference.version().empty())
    return fail(ErrorKind::kUsage, arguments.reference + ": names one version",
                "'pgo list " + repository_text(reference) + "' lists all of them");
  PGO_TRY(const std::unique_ptr<Registry> registry,
          registry_opener(arguments.registry)(reference, RegistryUse::kRead));
  PGO_TRY(VersionList list, list_versions(*registry));
  PGO_CHECK(add_signers(*registry, list));
  PGO_CHECK(
      write_file_atomically("-", arguments.json ? json_text(list_json(list)) : list_text(list)));
  return kExitDone;
}

}  // namespace

void declare_list(CommandLine& line) {
  auto options = std::make_shared<ListArguments>();
  line.argument("REFERENCE", options->reference,
                "Where the versions are: oci-dir:PATH or oci://HOST/REPOSITORY")
      .required();
  add_registry_options(line, options->registry);
  add_json_option(line, options->json);
  line.footer(
      "The version with the latest recordings comes first. SIGNED BY shows the key IDs in the\n"
      "signatures; 'pgo list' does not verify these, 'pgo pull --verify' does.\n"
      "Example:\n"
      "  pgo list oci-dir:/srv/profiles/server");
  line.run([options] { return report_any_failure(run_list(*options), options->json); });
}

}  // namespace pgo
