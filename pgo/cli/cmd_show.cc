// pgo show: what a file is. The table of kinds (file_kind.h) is the command; each kind has a file
// describe_<kind>.cc. With --applied: what of a profile is in a binary.

#include <filesystem>
#include <map>
#include <optional>

#include "pgo/base/atomic_file.h"
#include "pgo/base/mapped_file.h"
#include "pgo/cli/command.h"
#include "pgo/cli/describe_applied.h"
#include "pgo/cli/description.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/option_checks.h"

namespace pgo {
namespace {

// What --applied does instead of answering: nothing while enough has a place, or complain.
enum class Complain { kNever, kWarning, kError };

struct ShowOptions {
  DescribeOptions describe;
  std::string file;
  bool json = false;
  bool applied = false;
  std::string profile, shown_as;
  bool of_several = false;
  Complain complain = Complain::kNever;
  std::optional<double> min_share;  // percent; none: what the kind of profile lets expect
};

Result<void> print(const ShowOptions& options, const Description& description) {
  return write_file_atomically("-", options.json ? json_text(description.json) : description.text);
}

Result<ExitCode> run_applied(const ShowOptions& options) {
  Result<AppliedAnswer> answer = describe_applied(
      {options.file, options.profile, options.shown_as, options.of_several, options.describe});
  bool is_enough = answer && 100 * answer->share >= options.min_share.value_or(answer->usual_share);
  // A build hears of what may be the reason only when there is something to give a reason for.
  if (answer && options.complain != Complain::kNever && !is_enough)
    print_warnings(answer->diagnostics);
  if (options.complain == Complain::kWarning) {
    if (!is_enough) print_warning(answer ? answer->complaint : answer.error().message);
    return kExitDone;
  }
  if (!answer) return Failure{answer.error()};
  if (options.complain == Complain::kError) {
    if (!is_enough) report_error({ErrorKind::kMismatch, answer->complaint});
  } else {
    PGO_CHECK(print(options, answer->description));
    print_warnings(answer->diagnostics);
  }
  return is_enough ? kExitDone : kExitNo;
}

Result<ExitCode> run(const ShowOptions& options) {
  if (options.applied) return run_applied(options);
  if (!options.describe.event.empty() && options.describe.binaries.empty())
    return fail(ErrorKind::kUsage,
                "--event chooses what is counted for --binary; name a binary as well");
  std::error_code ignored;
  if (std::filesystem::is_directory(options.file, ignored)) {
    if (!options.describe.binaries.empty())
      return fail(ErrorKind::kUsage, "--binary looks into one recording, and " + options.file +
                                         " is a directory; pgo convert reads all that it has");
    PGO_TRY(Description description, describe_directory(options.file, options.describe));
    PGO_CHECK(print(options, description));
    return kExitDone;
  }
  PGO_TRY(MappedFile file, MappedFile::open(options.file));
  const FileKind* kind = find_file_kind(file.bytes());
  if (kind == nullptr) return unknown_file(file.bytes(), options.file);
  if (!options.describe.binaries.empty() && kind->describe != describe_recording)
    return fail(ErrorKind::kUsage,
                "--binary looks into recordings, and " + options.file + " is none");
  PGO_TRY(Description description, kind->describe(file.bytes(), options.file, options.describe));
  PGO_CHECK(print(options, description));
  return kExitDone;
}

}  // namespace

void declare_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShowOptions>();
  DescribeOptions& describe = options->describe;
  app.add_option("FILE", options->file,
                 "perf.data, ELF, profiles for LLVM, GCC and BOLT, pre-aggregated traces, "
                 "address profiles, pprof, a\n"
                 "report of pgo convert, or a directory of such; - for standard input")
      ->required();
  CLI::Option* binary =
      app.add_option("-b,--binary", describe.binaries,
                     "What ran in a recording: shows what a conversion would use of it")
          ->allow_extra_args(false);
  app.add_option("--debug-file", describe.debug.files,
                 "Where the debug information of a stripped binary is")
      ->allow_extra_args(false);
  app.add_option("--debug-root", describe.debug.roots,
                 "Directories with debug files by build id (.build-id/ab/cdef….debug) or path")
      ->capture_default_str()
      ->allow_extra_args(false);
  CLI::Option* event = app.add_option(
      "--event", describe.event,
      "Count this event of a recording (default: the one with branch stacks, or\nthe only one)");
  app.add_option("--top", describe.top, "Lines of each table")
      ->capture_default_str()
      ->check(whole_number());
  app.add_option("-j,--jobs", describe.jobs, "Threads (default: all cores)")->check(whole_number());
  app.add_flag("--json", options->json, "Print JSON: raw names, exact figures");
  CLI::Option* applied = app.add_flag(
      "--applied", options->applied,
      "Of a binary: how much of a profile has a place in it, and why the rest has not");
  applied->excludes(binary)->excludes(event);
  CLI::Option* profile =
      app.add_option("--profile", options->profile,
                     "The LLVM sample profile for --applied (default: the one that the binary's "
                     "note names, where the CMake package put it)")
          ->needs(applied);
  app.add_option("--shown-as", options->shown_as,
                 "What to call the profile that is a copy of another file")
      ->needs(profile);
  app.add_option("--min-share", options->min_share,
                 "With --applied: exit 1 when less of the profile, in percent, has a place\n"
                 "(default: 50 of a profile by line, 20 of one by probe)")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(applied);
  app.add_flag("--several", options->of_several,
               "With --applied: the profile is of several binaries; leave out what this one has no "
               "function for")
      ->needs(applied);
  const std::map<std::string, Complain> complaints = {{"warning", Complain::kWarning},
                                                      {"error", Complain::kError}};
  app.add_option("--complain", options->complain,
                 "With --applied: no answer, but when less than --min-share has a place, or none "
                 "can be told,\none warning and exit 0, or one error")
      ->transform(CLI::CheckedTransformer(complaints).description(""))
      ->type_name("warning|error")
      ->needs(applied);
  app.footer(
      "The funnel of a recording goes as far as the files that were mapped; with --binary it goes\n"
      "on to what a conversion would use.\n"
      "With --applied, a profile and a binary that was built with it are compared by the lines "
      "that code\n"
      "comes from, wherever it was inlined.\n"
      "Examples:\n"
      "  pgo show server.perf --binary ./server\n"
      "  pgo show --applied ./server --profile server.prof");
  app.callback([options, &exit_code] {
    Result<ExitCode> code = run(*options);
    exit_code = code ? *code : report_error(code.error());
  });
}

}  // namespace pgo
