// pgo init: the files that a repository begins with: pgo.toml, and the weekly job of its CI.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "pgo/base/shell_word.h"
#include "pgo/ci/ci_files.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/document_path.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/config/config.h"
#include "pgo/config/config_template.h"
#include "pgo/registry/lock_file.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

enum class CiChoice : uint8_t { kFound, kNone, kGithub, kGitlab };

struct InitArguments {
  TemplateWords words;
  std::string output = kConfigName;
  CiChoice ci = CiChoice::kFound;
};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// A forge, or why there is none.
struct ForgeChoice {
  std::optional<Forge> forge;
  std::string reason;  // of either, for people; empty: the user chose
};

// The jobs of all templates run `pgo refresh` at the root of the repository.
Result<ForgeChoice> choose_forge(const InitArguments& arguments) {
  if (arguments.ci == CiChoice::kNone || arguments.output == "-") return ForgeChoice();
  const fs::path output(arguments.output);
  const std::string directory = output.has_parent_path() ? output.parent_path().string() : ".";
  const std::optional<Repository> repository = find_repository(directory);
  std::error_code ignored;
  const bool is_at_root =
      output.filename() == kConfigName &&
      (!repository || fs::weakly_canonical(directory, ignored) == fs::path(repository->root));
  if (arguments.ci != CiChoice::kFound) {
    if (!is_at_root)
      return fail(ErrorKind::kUsage,
                  "--ci: the job runs 'pgo refresh' at the root of the repository, and " +
                      arguments.output + " is not the pgo.toml there",
                  "run pgo init there, or choose --ci none and copy a template of ci-templates");
    return ForgeChoice{arguments.ci == CiChoice::kGithub ? Forge::kGithub : Forge::kGitlab, ""};
  }
  if (!repository) return ForgeChoice{std::nullopt, "this is not a git repository"};
  if (!is_at_root)
    return ForgeChoice{std::nullopt, "its job would run at the root of the repository, " +
                                         repository->root + ", and " + arguments.output +
                                         " is not the pgo.toml there"};
  if (!repository->forge)
    return ForgeChoice{std::nullopt,
                       "the files and remotes of this repository do not show its forge; name it "
                       "with --ci github or --ci gitlab"};
  return ForgeChoice{repository->forge, repository->told_by};
}

// What is to be done with the files of CI: those that were written, and those that were there.
void print_ci_steps(Forge forge, const std::string& reason, const std::vector<CiFile>& written,
                    const std::vector<CiFile>& existing) {
  for (const CiFile& file : existing)
    print_note(file.path + ": already exists and is not changed" +
               (file.path.ends_with(".gitlab-ci.yml")
                    ? "; add this to its 'include:': - local: .gitlab/prodpgo-refresh.yml"
                    : ""));
  const std::string why = reason.empty() ? "" : ", by " + reason;
  for (const CiFile& file : written)
    print_note(file.path + ": for " + std::string(forge_name(forge)) + why);
  if (!written.empty())
    print_note("set the container image with pgo in " + written[0].path +
               ", and create the secrets and the schedule that " +
               document_path("docs/guide/ci.md") + " lists");
}

Result<void> make_directory_of(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (!error) return ok();
  return fail(ErrorKind::kIo,
              path.parent_path().string() + ": cannot make the directory: " + error.message());
}

Result<std::vector<CiFile>> files_for(const ForgeChoice& choice) {
  if (!choice.forge) return std::vector<CiFile>();
  constexpr const char* kProgram = "/proc/self/exe";
  std::error_code error;
  const fs::path program = fs::read_symlink(kProgram, error);
  if (error)
    return fail(ErrorKind::kIo,
                std::string(kProgram) + ": cannot read the link: " + error.message() +
                    "; the templates for CI are found by it",
                "mount /proc, or choose --ci none");
  PGO_TRY(const fs::path templates, find_ci_templates(program));
  return ci_files(*choice.forge, templates);
}

Result<ExitCode> run_init(const InitArguments& arguments) {
  if (!is_profile_name(arguments.words.service))
    return fail(ErrorKind::kUsage,
                "'" + arguments.words.service +
                    "' is not a valid service name: at most 128 letters, digits, "
                    "'_', '.', '-' and '+'");
  PGO_TRY(const ForgeChoice choice, choose_forge(arguments));
  PGO_TRY(std::vector<CiFile> all, files_for(choice));
  const fs::path root = fs::path(arguments.output).parent_path();
  MadeFiles files;
  // A file that is there already is somebody's work.
  const bool has_config = arguments.output != "-" && is_there(arguments.output);
  if (!has_config) files.add(arguments.output, config_template(arguments.words));
  std::vector<CiFile> written, existing;
  for (CiFile& file : all) {
    file.path = root / file.path;
    if (!is_there(file.path)) files.add(file.path, file.contents);
    (is_there(file.path) ? existing : written).push_back(std::move(file));
  }
  if (files.files().empty())
    return fail(
        ErrorKind::kUsage, arguments.output + ": already exists",
        "'pgo init NAME -o - >> " + shell_word(arguments.output) + "' adds a service to it");
  for (const CiFile& file : written) PGO_CHECK(make_directory_of(file.path));
  PGO_CHECK(write_files(files.files()));
  if (has_config)
    print_note(arguments.output + ": already exists and is not changed");
  else if (arguments.output != "-")
    print_note(arguments.output +
               ": fill in where profiles, releases and versions are; then run 'pgo refresh "
               "--dry-run'");
  if (choice.forge)
    print_ci_steps(*choice.forge, choice.reason, written, existing);
  else if (!choice.reason.empty())
    print_note("no CI job is written: " + choice.reason);
  return kExitDone;
}

}  // namespace

void declare_init(CommandLine& line) {
  auto options = std::make_shared<InitArguments>();
  TemplateWords& words = options->words;
  line.argument("SERVICE", words.service, "The name of the service (default: server)");
  line.option("--source", words.source, "Where its profiles are").show_default();
  line.option("--binary-from", words.binaries, "Where its released programs are ('pgo archive')")
      .show_default();
  line.option("--registry", words.registry, "Where versions of its profiles are kept")
      .show_default();
  line.option(
      "--ci", options->ci,
      Words<CiChoice>{
          {"github", CiChoice::kGithub}, {"gitlab", CiChoice::kGitlab}, {"none", CiChoice::kNone}},
      "Also write the weekly job for this forge (default: the one of this repository)");
  line.option("-o,--output", options->output, "The pgo.toml to write; - prints it")
      .show_default()
      .group(kOutputGroup);
  line.footer(
      "Writes a pgo.toml with comments, and the CI job that runs 'pgo refresh' each week:\n"
      "  GitHub   .github/workflows/prodpgo-refresh.yml\n"
      "  GitLab   .gitlab/prodpgo-refresh.yml, and .gitlab-ci.yml if there is none\n"
      "The forge is found by .github or .gitlab-ci.yml, or by the remote of the repository. A "
      "file\n"
      "that exists is never changed. {service} is replaced by the name of the service. More\n"
      "templates (builds, releases, Kubernetes, systemd) are in ci-templates of the package.\n"
      "Exit code: 0, or 2 on errors, also when all files exist already.\n"
      "Examples:\n"
      "  pgo init queryd\n"
      "  pgo init queryd --ci gitlab\n"
      "  pgo init queryd --source dir:/srv/profiles --binary-from dir:/srv/builds \\\n"
      "    --registry oci-dir:/srv/registry/queryd");
  line.run([options] { return report_any_failure(run_init(*options), false); });
}

}  // namespace pgo
