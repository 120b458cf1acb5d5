// pgo show: the command line of show() (pgo/show/show.h).

#include <memory>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/binary_from.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/progress_line.h"
#include "pgo/report/json_text.h"
#include "pgo/report/show_report.h"
#include "pgo/show/show.h"

namespace pgo {
namespace {

struct ShowOptions {
  ShowRequest show;
  RegistryArguments registry;
  BinaryFrom binary_from;
  bool json = false;
};

Result<ExitCode> run(ShowOptions& options) {
  ShowRequest& request = options.show;
  FetchedInputs fetched(options.registry);
  PGO_CHECK(
      fetched.replace_by_file(request.path, {FileKind::kLlvm, FileKind::kGcc, FileKind::kBolt,
                                             FileKind::kGo, FileKind::kAddress, FileKind::kPprof}));
  PGO_CHECK(fetched.replace(request.path, {}));
  PGO_CHECK(options.binary_from.find(options.registry, {request.path}, request.jobs,
                                     request.binaries, request.debug));
  PGO_TRY(ShowResult result, with_progress(request.progress, [&] { return show(request); }));
  ShowReport report =
      make_show_report(result, [](const std::string& text) { return with_option_words(text); });
  PGO_CHECK(write_file_atomically(
      "-", options.json ? json_text(json_with_option_words(report.json)) : report.text));
  return kExitDone;
}

}  // namespace

void declare_show(CommandLine& line) {
  auto options = std::make_shared<ShowOptions>();
  ShowRequest& show = options->show;
  line.argument(
          "FILE", show.path,
          "A recording, a profile, an ELF file, a report of pgo convert, or a directory of these;\n"
          "a bundle or a source of pgo fetch; a version (REFERENCE, pgo.lock#NAME); - for "
          "standard\n"
          "input")
      .required();
  add_binary_option(line, show.binaries,
                    ": also show how much of the recording a\nconversion would use");
  add_binary_from_option(line, options->binary_from);
  add_debug_options(line, show.debug);
  line.option("--event", show.events,
              "Count this event of a recording; may be given several times, and the samples are\n"
              "then added up (default: the one with branch records, or the only one)")
      .group(kSelectionGroup);
  line.option("--top", show.top, "Maximum number of rows in each table")
      .show_default()
      .whole_number()
      .group(kOutputGroup);
  add_jobs_option(line, show.jobs);
  add_json_option(line, options->json);
  add_registry_options(line, options->registry);
  line.footer(
      "The output accounts for every sample: how many were in mapped files and, with --binary,\n"
      "how many a conversion would use.\n"
      "Example:\n"
      "  pgo show server.data --binary ./server");
  line.run([options] { return report_any_failure(run(*options), options->json); });
}

}  // namespace pgo
