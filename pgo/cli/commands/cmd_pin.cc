// pgo pin: the command line of pin() (pgo/versions/pin.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/signature_keys.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/report/json_text.h"
#include "pgo/report/versions_report.h"

namespace pgo {
namespace {

struct PinArguments {
  std::string reference, verify;
  bool previous = false, json = false;
  RegistryArguments registry;
  PinRequest request;
};

Result<ExitCode> run_pin(PinArguments& arguments) {
  PinRequest& request = arguments.request;
  request.open = registry_opener(arguments.registry);
  if (arguments.previous != arguments.reference.empty())
    return fail(ErrorKind::kUsage, "one of REFERENCE and --previous is required");
  if (!arguments.previous) {
    PGO_TRY(request.reference, parse_reference(arguments.reference));
  }
  if (!arguments.verify.empty()) {
    PGO_TRY(request.verify, public_key_argument(arguments.verify));
  }
  PGO_TRY(const PinResult result, pin(request));
  const nlohmann::json json = pin_json(result, request);
  PGO_CHECK(write_file_atomically(
      "-", arguments.json ? json_text(json_with_option_words(json)) : pin_text(result, request)));
  print_warnings(result.diagnostics);
  return kExitDone;
}

}  // namespace

void declare_pin(CommandLine& line) {
  auto options = std::make_shared<PinArguments>();
  PinRequest& request = options->request;
  request.lock = kDefaultLock;
  line.argument("NAME", request.name, "The name of the profile in the lock file").required();
  line.argument(
      "REFERENCE", options->reference,
      "The version: oci-dir:PATH:TAG, oci://HOST/REPOSITORY:TAG, or either with @sha256:...");
  line.flag("--previous", options->previous, "Pin the version that was pinned before");
  line.option(
          "--verify", options->verify,
          "Require a signature by this public key, now and at each pull of the lock file: a file\n"
          "of minisign, or the key itself (RWQ...). Default: the key that the lock file requires")
      .type_name("PUBLICKEY");
  add_lock_option(line, request.lock);
  add_registry_options(line, options->registry);
  add_json_option(line, options->json);
  line.footer(
      "Commit the lock file. Builds use the pinned versions until it changes.\n"
      "Examples:\n"
      "  pgo pin server oci-dir:/srv/profiles/server:week-48\n"
      "  pgo pin server oci-dir:/srv/profiles/server:week-48 --verify release.pub\n"
      "  pgo pin server --previous");
  line.run([options] { return report_any_failure(run_pin(*options), options->json); });
}

}  // namespace pgo
