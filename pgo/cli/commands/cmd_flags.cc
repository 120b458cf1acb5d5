// pgo flags: the compiler flags of a build that will be profiled, or that uses a profile, for Make,
// Meson and people. (The CMake package reads the same table.)

#include <memory>
#include <optional>

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/subprocess.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/flags/flags.h"
#include "pgo/report/flags_report.h"
#include "pgo/report/json_text.h"

namespace pgo {
namespace {

enum class FlagsOutput { kTables, kCompile, kLink, kJson };

struct FlagsOptions {
  FlagsRequest request;
  std::string profile_path;
  FlagsOutput output = FlagsOutput::kTables;
};

std::string text_of(const FlagsResult& result, FlagsOutput output) {
  switch (output) {
    case FlagsOutput::kCompile: return flags_line(result.compile);
    case FlagsOutput::kLink: return flags_line(result.link);
    case FlagsOutput::kJson: return json_text(flags_json(result));
    case FlagsOutput::kTables: break;
  }
  return flags_text(result);
}

Result<ExitCode> run(FlagsOptions& options) {
  options.request.search_path = search_path_from_environment();
  if (!options.profile_path.empty()) {
    options.request.profile = options.profile_path;
    options.request.profile_exists = false;
  }
  std::optional<DeferredTermination> requests(
      std::in_place);  // compilers are tried in a directory of ours
  PGO_TRY(FlagsResult result, choose_flags(options.request));
  requests.reset();
  // A makefile uses only the flags on standard output, so standard error names those left out.
  if (options.output == FlagsOutput::kCompile || options.output == FlagsOutput::kLink)
    for (const ChosenFlag& flag : result.unknown) {
      std::string words = flags_line({flag});
      words.pop_back();  // the line end
      print_warning(options.request.compiler + " does not support " + words + ": " + flag.loss);
    }
  PGO_CHECK(write_file_atomically("-", text_of(result, options.output)));
  return kExitDone;
}

}  // namespace

void declare_flags(CommandLine& line) {
  auto options = std::make_shared<FlagsOptions>();
  FlagsRequest& request = options->request;
  line.option("--compiler", request.compiler,
              "The compiler command, clang or GCC, such as clang++-22")
      .required();
  line.choice("Purpose", 1, [&](CommandLine& purpose) {
    purpose.flag("--profilable", [] {}, "For a build that will be profiled");
    purpose.option("--profile", request.profile,
                   "For a build that uses this profile, and can be profiled again");
    purpose.option(
        "--profile-path", options->profile_path,
        "As --profile, for a profile that will have this path in the build; it is not read,\n"
        "so it need not exist yet");
  });
  line.flag("--thin-lto", request.thin_lto, "For a build with ThinLTO (clang)");
  line.flag("--bolt", request.bolt, "For a build that llvm-bolt can optimize");
  line.choice("Output", 0, [&](CommandLine& output) {
    output.flag(
        "--cflags", [options] { options->output = FlagsOutput::kCompile; },
        "Print the flags for compiling, on one line");
    output.flag(
        "--ldflags", [options] { options->output = FlagsOutput::kLink; },
        "Print the flags for the link, on one line");
    output.flag(
        "--json", [options] { options->output = FlagsOutput::kJson; },
        "Print JSON: all flags, and what is lost without each; or an error");
  });
  line.footer(
      "Without --cflags, --ldflags or --json, a table shows what is lost without each flag.\n"
      "Flags that the compiler does not support are left out, with a warning.\n"
      "Examples:\n"
      "  pgo flags --compiler clang++-22 --profilable\n"
      "  CXXFLAGS += $(shell pgo flags --compiler $(CXX) --profile server.prof --cflags)");
  line.run([options] {
    return report_any_failure(run(*options), options->output == FlagsOutput::kJson);
  });
}

}  // namespace pgo
