// pgo pull: the command line of pull() (pgo/versions/pull.h).

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
#include "pgo/source/blob_cache.h"

namespace pgo {
namespace {

struct PullArguments {
  std::vector<std::string> arguments;  // a reference, or names
  std::string verify;                  // a public key
  bool locked = false;
  ResultArguments output;
  RegistryArguments registry;
  PullRequest request;
};

Result<void> parse_pull(PullArguments& arguments) {
  PullRequest& request = arguments.request;
  request.open = registry_opener(arguments.registry);
  request.lock = chosen_lock(request.lock);
  if (!arguments.verify.empty()) {
    PGO_TRY(const minisign::PublicKey key, public_key_argument(arguments.verify));
    request.verify = RequiredSignature{key, "\xFF{verify}"};
  }
  if (request.cache.empty()) {
    PGO_TRY(request.cache, default_cache_directory());
  }
  if (arguments.locked) {
    request.names = arguments.arguments;
    for (const std::string& name : request.names)
      if (is_reference(name))
        return fail(ErrorKind::kUsage, "--locked pulls what " + request.lock +
                                           " names, and takes no reference such as " + name);
    return ok();
  }
  if (arguments.arguments.size() != 1)
    return fail(ErrorKind::kUsage, "one reference expected, such as oci-dir:PATH:TAG, or --locked");
  PGO_TRY(request.from, parse_reference(arguments.arguments[0]));
  return ok();
}

Result<ExitCode> run_pull(PullArguments& arguments) {
  PGO_CHECK(parse_pull(arguments));
  std::vector<std::string> used = {arguments.request.lock, arguments.verify};
  used.insert(used.end(), arguments.arguments.begin(), arguments.arguments.end());
  PGO_CHECK(check_result_file(arguments.output, used));
  PGO_TRY(const PullResult result, pull(arguments.request));
  std::vector<std::string> made;
  for (const PulledFile& file : result.files) made.push_back(file.path);
  PGO_CHECK(check_result_is_apart(arguments.output, made));
  PGO_CHECK(write_result(arguments.output, pull_json(result), pull_text(result)));
  print(pull_messages(result));
  return kExitDone;
}

}  // namespace

void declare_pull(CommandLine& line) {
  auto options = std::make_shared<PullArguments>();
  PullRequest& request = options->request;
  line.argument(
      "REFERENCE", options->arguments,
      "The version: oci-dir:PATH:TAG, oci://HOST/REPOSITORY:TAG, or either with @sha256:...;\n"
      "with --locked, names of profiles in the lock file (default: all)");
  line.flag("--locked", options->locked, "Pull the versions that the lock file pins")
      .group(kLockGroup);
  add_lock_option(line, request.lock).needs("--locked");
  line.option("--verify", options->verify,
              "Require a signature by this public key: a file of minisign, or the key itself "
              "(RWQ...).\n"
              "With --locked, the key that the lock file requires must have signed, too")
      .type_name("PUBLICKEY")
      .group(kSignatureGroup);
  line.option("-o,--output", request.output, "Copy the files to this directory")
      .group(kOutputGroup);
  add_cache_option(line, request.cache);
  add_registry_options(line, options->registry);
  add_result_options(line, options->output);
  line.footer(
      "Prints the digest and the path of each file. The path in the cache is blobs/sha256/ and "
      "the\n"
      "digits of the digest. The cache keeps the files that lock files name, for 90 days after "
      "the\n"
      "last pull with --locked.\n"
      "Examples:\n"
      "  pgo pull oci-dir:/srv/profiles/server:week-48 -o profiles\n"
      "  pgo pull oci-dir:/srv/profiles/server:week-48 --verify release.pub -o profiles\n"
      "  pgo pull oci://registry.example.com/profiles/server:week-48 -o profiles\n"
      "  pgo pull --locked");
  line.run([options] { return report_any_failure(run_pull(*options), options->output.json); });
}

}  // namespace pgo
