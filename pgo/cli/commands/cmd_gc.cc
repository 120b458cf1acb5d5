// pgo gc: the command line of collect_garbage() (pgo/versions/gc.h).

#include <filesystem>
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

struct GcArguments {
  std::string reference;
  size_t keep = 10;
  bool dry_run = false;
  ResultArguments output;
  GarbageRequest request;
};

Result<std::unique_ptr<OciLayout>> open_layout(const std::string& text,
                                               OciLayout::Removal removal) {
  if (!is_reference(text)) return fail(ErrorKind::kUsage, text + ": oci-dir:PATH expected");
  PGO_TRY(const RegistryReference reference, parse_reference(text));
  if (reference.kind == RegistryReference::Kind::kRemote)
    return fail(
        ErrorKind::kUnsupported, text + ": gc is for directories (oci-dir:PATH)",
        "delete versions with the tools of the registry, and keep what has no tag: signatures "
        "have none");
  if (!reference.version().empty())
    return fail(ErrorKind::kUsage, text + ": names one version, and gc looks at all",
                "use " + repository_text(reference));
  PGO_TRY(std::unique_ptr<OciLayout> layout, OciLayout::open(reference.path));  // makes none
  if (removal == OciLayout::Removal::kDryRun) return layout;
  return OciLayout::open_to_push(reference.path);
}

// As pin and pull, gc reads the lock file of this directory when none is named. What is there and
// cannot be read is an error, not "no lock file".
void add_default_lock(GarbageRequest& request) {
  std::error_code ignored;
  const auto type = std::filesystem::symlink_status(kDefaultLock, ignored).type();
  if (request.locks.empty() && type != std::filesystem::file_type::not_found)
    request.locks.push_back(kDefaultLock);
}

Result<ExitCode> run_gc(GcArguments& arguments) {
  GarbageRequest& request = arguments.request;
  add_default_lock(request);
  std::vector<std::string> used = request.locks;
  used.push_back(arguments.reference);
  PGO_CHECK(check_result_file(arguments.output, used));
  if (arguments.dry_run) request.removal = OciLayout::Removal::kDryRun;
  PGO_TRY(const std::unique_ptr<OciLayout> layout,
          open_layout(arguments.reference, request.removal));
  request.layout = layout.get();
  request.newest = arguments.keep;
  PGO_TRY(const GarbageResult result, collect_garbage(request));
  PGO_CHECK(write_result(arguments.output, gc_json(result, request.removal),
                         gc_text(result, request.removal)));
  print_warnings(result.diagnostics);
  return kExitDone;
}

}  // namespace

void declare_gc(CommandLine& line) {
  auto options = std::make_shared<GcArguments>();
  line.argument("REFERENCE", options->reference, "Where the versions are: oci-dir:PATH").required();
  line.option(
      "--lock", options->request.locks,
      "Keep the versions that this lock file pins, and those that it pinned before; may be given\n"
      "several times (default: pgo.lock, if there is one)");
  line.option("--keep", options->keep, "Always keep this many of the newest versions")
      .show_default();
  line.flag("--dry-run", options->dry_run, "Only print what would be removed");
  add_result_options(line, options->output);
  line.footer(
      "Name the lock file of each git branch that is still built: gc knows no other pins. It "
      "keeps\n"
      "versions that do not say when they were recorded, and those that cannot be read.\n"
      "Example:\n"
      "  pgo gc oci-dir:/srv/profiles/server --lock pgo.lock --lock ../release-7/pgo.lock");
  line.run([options] { return report_any_failure(run_gc(*options), options->output.json); });
}

}  // namespace pgo
