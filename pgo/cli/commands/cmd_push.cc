// pgo push: the command line of push() (pgo/versions/push.h).

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

struct PushArguments {
  std::vector<std::string> arguments;  // files, and a reference as the last
  std::string sign;                    // path of the key
  RegistryArguments registry;
  PushRequest request;
  ResultArguments output;
};

Result<ExitCode> run_push(PushArguments& arguments) {
  std::vector<std::string> used = arguments.arguments;
  used.push_back(arguments.sign);
  PGO_CHECK(check_result_file(arguments.output, used));
  PushRequest& request = arguments.request;
  const std::string last = arguments.arguments.back();
  if (!is_reference(last))
    return fail(ErrorKind::kUsage,
                last +
                    ": the last argument says where to push to: oci-dir:PATH[:TAG] or "
                    "oci://HOST/REPOSITORY[:TAG]");
  PGO_TRY(request.to, parse_reference(last));
  request.files.files.assign(arguments.arguments.begin(), arguments.arguments.end() - 1);
  request.open = registry_opener(arguments.registry);
  minisign::SecretKey key;
  if (!arguments.sign.empty()) {
    PGO_TRY(key, secret_key_argument(arguments.sign));
    request.signer = &key;
  }
  PGO_TRY(PushResult result, push(request));
  PGO_CHECK(write_result(arguments.output, push_json(result, request.to), push_text(result)));
  print(push_messages(result, request.to));
  return kExitDone;
}

}  // namespace

void declare_push(CommandLine& line) {
  auto options = std::make_shared<PushArguments>();
  DescriptionRequest& files = options->request.files;
  line.argument(
          "FILE", options->arguments,
          "The files of the version: profiles, the --report of their conversion, bundle.json,\n"
          "a summary (*.md). The last argument is the destination: oci-dir:PATH[:TAG] or\n"
          "oci://HOST/REPOSITORY[:TAG]")
      .required();
  line.option("--service", files.service, "Name of the service (default: the name in the files)")
      .group(kInputGroup);
  line.option(
          "--configuration", files.configurations,
          "The configuration of the build that the BOLT profiles fit: a word of your choice, such\n"
          "as clang-lto, or FILE=WORD for one of several files")
      .group(kInputGroup);
  line.option(
          "--library", files.library_files,
          "The shared library that a BOLT profile or a recorded build belongs to, such as\n"
          "q.fdata=libquery.so (default: what the report of its conversion says, or the program;\n"
          "FILE= says the program)")
      .type_name("FILE=NAME")
      .group(kInputGroup);
  line.option(
          "--bolt-of", files.bolt_of,
          "Build ID of llvm-bolt's input that the BOLT profiles fit (default: the ID in the files)")
      .group(kInputGroup);
  line.option("--sign", options->sign,
              "Sign the version with this secret key, a file of 'minisign -G'. If the key is "
              "encrypted,\n"
              "the password is $PRODPGO_SIGN_PASSWORD, or pgo asks for it on the terminal")
      .type_name("KEYFILE")
      .group(kSignatureGroup);
  add_registry_options(line, options->registry);
  add_result_options(line, options->output);
  add_jobs_option(line, files.jobs);
  line.footer(
      "Prints the digest of the version. The same files always give the same digest.\n"
      "Examples:\n"
      "  pgo push server.prof report.json oci-dir:/srv/profiles/server:week-48\n"
      "  pgo push server.prof server.fdata --configuration clang-lto oci-dir:profiles:week-48\n"
      "  pgo push server.prof report.json oci-dir:profiles:week-48 --sign release.key\n"
      "  pgo push server.prof report.json oci://registry.example.com/profiles/server:week-48");
  line.run([options] { return report_any_failure(run_push(*options), options->output.json); });
}

}  // namespace pgo
