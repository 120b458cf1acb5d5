// pgo match: how much of a profile matches a build, and why the rest does not. For people a result,
// for builds a warning or an error, and only when the match rate is too low.

#include <memory>

#include "pgo/base/atomic_file.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/arguments/sources.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/cli/terminal/written_files.h"
#include "pgo/match/match.h"
#include "pgo/report/json_text.h"
#include "pgo/report/match_report.h"
#include "pgo/source/blob_cache.h"

namespace pgo {
namespace {

// What is printed: the result, or nothing but a warning or an error when the match rate is low.
enum class MatchOutput { kResult, kWarning, kError };

struct MatchOptions {
  MatchRequest request;
  RegistryArguments registry;
  size_t top = 10;  // functions that are listed
  MatchOutput output = MatchOutput::kResult;
  bool json = false;
  std::string report;  // path; empty: none
};

std::string match_json_text(const MatchResult& result, size_t top) {
  return json_text(json_with_option_words(match_json(result, top)));
}

std::string low_match_text(const MatchResult& result) {
  return low_match_line(result) + ". Details: pgo match " + result.binary + " --profile " +
         result.profile + (result.of_several ? " --several" : "");
}

// For a build: one warning, and success, whatever went wrong.
ExitCode print_low_match_warning(const Result<MatchResult>& result) {
  if (!result) {
    print_warning(error_text(result.error()));
  } else if (!result->has_counts()) {
    print_warnings(result->diagnostics);
  } else if (!result->is_enough()) {
    print_warnings(result->diagnostics);
    print_warning(low_match_text(*result));
  }
  return kExitDone;
}

Result<ExitCode> print_low_match_error(const MatchResult& result, const MatchOptions& options) {
  if (!result.has_counts() || !result.is_enough()) print_warnings(result.diagnostics);
  if (result.is_enough()) return kExitDone;
  Error error{ErrorKind::kMismatch, low_match_text(result)};
  if (options.json) PGO_CHECK(print_error_json(error));
  report_error(error);
  return kExitNo;
}

Result<MatchResult> match_input(const MatchOptions& options) {
  MatchRequest request = options.request;
  FetchedInputs fetched(options.registry);
  const std::string given = request.profile;
  PGO_CHECK(fetched.replace_by_file(request.profile, {FileKind::kLlvm}));
  if (Result<std::string> cache = default_cache_directory()) request.blobs = blob_directory(*cache);
  if (request.profile != given && request.shown_as.empty()) request.shown_as = given;
  return match(request);
}

Result<ExitCode> run(const MatchOptions& options) {
  Result<MatchResult> result = match_input(options);
  if (result && !options.report.empty())
    PGO_CHECK(write_files({{options.report, match_json_text(*result, options.top)}}));
  if (options.output == MatchOutput::kWarning) return print_low_match_warning(result);
  if (!result) return Failure{result.error()};
  if (options.output == MatchOutput::kError) return print_low_match_error(*result, options);

  PGO_CHECK(write_file_atomically(
      "-", options.json ? match_json_text(*result, options.top)
                        : match_text(*result, options.top, [](const std::string& text) {
                            return with_option_words(text);
                          })));
  print_warnings(result->diagnostics);
  return result->is_enough() ? kExitDone : kExitNo;
}

}  // namespace

void declare_match(CommandLine& line) {
  auto options = std::make_shared<MatchOptions>();
  MatchRequest& request = options->request;
  line.argument("BINARY", request.binary, "The program or library that was built with the profile")
      .required();
  line.option(
          "--profile", request.profile,
          "The LLVM sample profile, also of a version (REFERENCE, pgo.lock#NAME; default: the one\n"
          "that the binary was built with, by its ELF note)")
      .group(kInputGroup);
  line.option("--shown-as", request.shown_as,
              "The name to print for the profile, if it is a copy of another file")
      .needs("--profile")
      .group(kInputGroup);
  line.option("--min-match", request.min_match,
              "The minimum match rate, in percent\n"
              "(default: 50 for a profile by line, 20 for one by probe)")
      .percent()
      .group(kCheckGroup);
  line.flag(
          "--warn", [options] { options->output = MatchOutput::kWarning; },
          "Print one warning if the match rate is below --min-match or cannot be computed, else\n"
          "nothing. The exit code is 0")
      .group(kCheckGroup);
  line.flag(
          "--error", [options] { options->output = MatchOutput::kError; },
          "Print an error if the match rate is below --min-match (exit code 1) or cannot be\n"
          "computed (exit code 2), else nothing")
      .excludes("--warn")
      .group(kCheckGroup);
  line.flag("--several", request.of_several,
            "The profile covers several binaries: ignore functions that this one does not have")
      .group(kInputGroup);
  add_debug_options(line, request.debug);
  line.option("--top", options->top, "Maximum number of functions to list")
      .show_default()
      .whole_number()
      .group(kOutputGroup);
  add_jobs_option(line, request.jobs);
  add_json_option(line, options->json);
  add_report_option(line, options->report);
  add_registry_options(line, options->registry);
  line.footer(
      "The match rate is the share of a profile's counts that belong to code of this build.\n"
      "Code is identified by its source line, wherever it was inlined, or, with pseudo\n"
      "probes, by the checksum of its function. Exit codes: 0 the match rate is high enough,\n"
      "1 it is below --min-match, 2 wrong usage or an error.\n"
      "Examples:\n"
      "  pgo match ./server --profile server.prof\n"
      "  pgo match ./server --profile server.prof --min-match 90 --error");
  line.run([options] { return report_any_failure(run(*options), options->json); });
}

}  // namespace pgo
