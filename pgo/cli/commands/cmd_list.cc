// pgo list: the command line of list_versions() (pgo/versions/version_list.h), and what a lock file
// pins.

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/registry/lock_file.h"
#include "pgo/report/json_text.h"
#include "pgo/report/versions_report.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/version_input.h"

namespace pgo {
namespace {

struct ListArguments {
  std::string reference;
  bool json = false;
  RegistryArguments registry;
};

// Where the versions are that the argument names; nothing for a lock file. With '#NAME', a lock
// file names the place of a version.
Result<std::optional<RegistryReference>> find_place(const std::string& argument) {
  PGO_TRY(const std::optional<VersionInput> input, parse_version_input(argument));
  if (input && !input->reference && !input->has_conditions() && input->others.empty()) {
    Diagnostics ignored;  // fields that are not known
    PGO_TRY(const LockFile lock, read_lock_file(input->lock, ignored));
    const auto entry = lock.profiles.find(input->name);
    if (entry == lock.profiles.end()) return no_locked_profile(lock, input->lock, input->name);
    PGO_TRY(RegistryReference reference, locked_reference(entry->second, input->lock));
    reference.tag = reference.digest = "";
    return std::optional(std::move(reference));
  }
  std::error_code ignored;
  if (!is_reference(argument) && std::filesystem::is_regular_file(argument, ignored))
    return std::optional<RegistryReference>();
  if (!is_reference(argument) && std::filesystem::is_directory(argument, ignored))
    return fail(ErrorKind::kUsage, argument + ": is a directory",
                "'pgo show " + argument + "' shows which profiles it has, 'pgo list oci-dir:" +
                    argument + "' the versions of a registry in it");
  PGO_TRY(RegistryReference reference, parse_reference(argument));
  return std::optional(std::move(reference));
}

Result<ExitCode> list_pins(const ListArguments& arguments) {
  Diagnostics diagnostics;
  PGO_TRY(const LockFile lock, read_lock_file(arguments.reference, diagnostics));
  PGO_CHECK(write_file_atomically(
      "-", arguments.json ? json_text(lock_json(lock, diagnostics)) : lock_text(lock)));
  print(messages_of(diagnostics));
  return kExitDone;
}

Result<ExitCode> run_list(const ListArguments& arguments) {
  PGO_TRY(const std::optional<RegistryReference> place, find_place(arguments.reference));
  if (!place) return list_pins(arguments);
  const RegistryReference& reference = *place;
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
  line.argument(
          "REFERENCE", options->reference,
          "Where the versions are: oci-dir:PATH, oci://HOST/REPOSITORY, or pgo.lock#NAME for\n"
          "where this profile was pinned from. A lock file alone: list what it pins")
      .required();
  add_registry_options(line, options->registry);
  add_json_option(line, options->json);
  line.footer(
      "The version with the latest recordings comes first. SIGNED BY shows the key IDs in the\n"
      "signatures; 'pgo list' does not verify these, 'pgo pull --verify' does.\n"
      "Examples:\n"
      "  pgo list oci-dir:/srv/profiles/server\n"
      "  pgo list pgo.lock             # what is pinned\n"
      "  pgo list pgo.lock#server      # all versions that could be");
  line.run([options] { return report_any_failure(run_list(*options), options->json); });
}

}  // namespace pgo
