// pgo copy: the command line of copy_version() (pgo/versions/copy.h).

#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/result_arguments.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/report/versions_report.h"

namespace pgo {
namespace {

struct CopyArguments {
  std::string from, to;
  ResultArguments output;
  RegistryArguments registry;
};

Result<ExitCode> run_copy(const CopyArguments& arguments) {
  PGO_CHECK(check_result_file(arguments.output, {arguments.from, arguments.to}));
  CopyRequest request;
  PGO_TRY(request.from, parse_reference(arguments.from));
  PGO_TRY(request.to, parse_reference(arguments.to));
  request.open = registry_opener(arguments.registry);
  PGO_TRY(const CopyResult result, copy_version(request));
  PGO_CHECK(write_result(arguments.output, copy_json(result), copy_text(result)));
  print(copy_messages(result, request.to));
  return kExitDone;
}

}  // namespace

void declare_copy(CommandLine& line) {
  auto options = std::make_shared<CopyArguments>();
  line.argument(
          "FROM", options->from,
          "The version: oci-dir:PATH:TAG, oci://HOST/REPOSITORY:TAG, or either with @sha256:...")
      .required();
  line.argument("TO", options->to,
                "The destination: oci-dir:PATH[:TAG] or oci://HOST/REPOSITORY[:TAG] (default: the "
                "tag of\n"
                "FROM)")
      .required();
  add_registry_options(line, options->registry);
  add_result_options(line, options->output);
  line.footer(
      "Also copies what refers to the version, such as signatures. Digests stay the same.\n"
      "Example:\n"
      "  pgo copy oci-dir:/srv/staging:week-48 oci-dir:/srv/profiles/server");
  line.run([options] { return report_any_failure(run_copy(*options), options->output.json); });
}

}  // namespace pgo
