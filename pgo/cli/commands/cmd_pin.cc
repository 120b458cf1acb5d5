// pgo pin: the command line of pin() (pgo/versions/pin.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/result_arguments.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/signature_keys.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/report/versions_report.h"

namespace pgo {
namespace {

struct PinArguments {
  std::string reference, verify;
  bool previous = false;
  ResultArguments output;
  RegistryArguments registry;
  PinRequest request;
};

Result<ExitCode> run_pin(PinArguments& arguments) {
  PinRequest& request = arguments.request;
  request.open = registry_opener(arguments.registry);
  request.lock = chosen_lock(request.lock);
  PGO_CHECK(
      check_result_file(arguments.output, {request.lock, arguments.reference, arguments.verify}));
  if (arguments.previous && !arguments.reference.empty())
    return fail(ErrorKind::kUsage,
                "--previous pins the version that was pinned before: leave out " +
                    arguments.reference + ", or --previous");
  if (!arguments.previous && arguments.reference.empty())
    return fail(ErrorKind::kUsage,
                "name the version to pin: a REFERENCE such as oci-dir:profiles:week-48, or "
                "--previous for the one that was pinned before");
  if (!arguments.previous) {
    PGO_TRY(request.reference, parse_reference(arguments.reference));
  }
  if (!arguments.verify.empty()) {
    PGO_TRY(request.verify, public_key_argument(arguments.verify));
  }
  PGO_TRY(const PinResult result, pin(request));
  PGO_CHECK(check_result_is_apart(arguments.output, {request.lock}));
  PGO_CHECK(write_result(arguments.output, pin_json(result, request), pin_text(result, request)));
  print_warnings(result.diagnostics);
  return kExitDone;
}

}  // namespace

void declare_pin(CommandLine& line) {
  auto options = std::make_shared<PinArguments>();
  PinRequest& request = options->request;
  line.argument(
          "NAME", request.name,
          "The name of the profile: the key in the lock file, and the name in prodpgo_profile()")
      .required();
  line.argument(
      "REFERENCE", options->reference,
      "The version to pin: oci-dir:PATH:TAG or oci://HOST/REPOSITORY:TAG ('pgo push' prints it);\n"
      "@sha256:... in place of :TAG names it by digest");
  line.flag("--previous", options->previous,
            "Go back to the version that was pinned before this one")
      .group(kLockGroup);
  line.option(
          "--verify", options->verify,
          "Accept only versions that are signed with this minisign key, now and at each 'pgo pull\n"
          "--locked': a .pub file, or the key itself (RWQ...). Default: the key that the lock "
          "file\n"
          "has for NAME already")
      .type_name("PUBLICKEY")
      .group(kSignatureGroup);
  add_lock_option(line, request.lock);
  add_registry_options(line, options->registry);
  add_result_options(line, options->output);
  line.footer(
      "A tag may move: the lock file keeps the digest that the tag has now. Commit the lock file;\n"
      "builds use this version until another one is pinned.\n"
      "Exit code: 0 when the version is pinned, 2 for errors.\n"
      "Examples:\n"
      "  pgo pin server oci-dir:/srv/profiles/server:week-48\n"
      "  pgo pin server oci-dir:/srv/profiles/server:week-48 --verify release.pub\n"
      "  pgo pin server --previous");
  line.run([options] { return report_any_failure(run_pin(*options), options->output.json); });
}

}  // namespace pgo
