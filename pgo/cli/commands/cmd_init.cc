// pgo init: the files that a repository begins with.

#include <filesystem>
#include <memory>
#include <system_error>

#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/config/config.h"
#include "pgo/config/config_template.h"
#include "pgo/registry/lock_file.h"

namespace pgo {
namespace {

struct InitArguments {
  TemplateWords words;
  std::string output = kConfigName;
};

// A file that is there already is somebody's work.
Result<void> refuse_existing(const std::string& path) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    return ok();
  return fail(ErrorKind::kUsage, path + ": is there already",
              "'pgo init -o -' prints what would be written");
}

Result<ExitCode> run_init(const InitArguments& arguments) {
  if (!is_profile_name(arguments.words.service) ||
      arguments.words.service.find_first_of(".+") != std::string::npos)
    return fail(ErrorKind::kUsage, "'" + arguments.words.service +
                                       "' is no name of a service here: at most 128 letters, "
                                       "digits, '_' and '-'");
  MadeFiles files;
  files.add(arguments.output, config_template(arguments.words));
  for (const FileContents& file : files.files()) PGO_CHECK(refuse_existing(file.path));
  PGO_CHECK(write_files(files.files()));
  if (arguments.output != "-")
    print_note(arguments.output +
               ": fill in where profiles, releases and versions are; then run 'pgo refresh "
               "--dry-run'");
  return kExitDone;
}

}  // namespace

void declare_init(CommandLine& line) {
  auto options = std::make_shared<InitArguments>();
  TemplateWords& words = options->words;
  line.argument("SERVICE", words.service, "The name of the service (default: server)");
  line.option("--source", words.source, "The source of its profiles").show_default();
  line.option("--binaries", words.binaries, "The archive of its programs").show_default();
  line.option("--registry", words.registry, "Where versions of profiles are kept").show_default();
  line.option("-o,--output", options->output, "Write this file, which must not exist; - prints it")
      .show_default();
  line.footer(
      "Writes a pgo.toml with comments. {service} stands for the name of the service. Templates\n"
      "that run 'pgo refresh' each week by GitHub, GitLab, Kubernetes or systemd are in\n"
      "ci-templates of the package.\n"
      "Examples:\n"
      "  pgo init queryd\n"
      "  pgo init queryd --source dir:/srv/profiles --binaries dir:/srv/builds \\\n"
      "    --registry oci-dir:/srv/registry/queryd");
  line.run([options] { return report_any_failure(run_init(*options), false); });
}

}  // namespace pgo
