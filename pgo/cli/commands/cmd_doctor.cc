// pgo doctor: is everything here that the job needs, and is a binary fit for it? Each finding has
// its advice.

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "pgo/base/atomic_file.h"
#include "pgo/base/subprocess.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/commands/commands.h"
#include "pgo/cli/terminal/exit_code.h"
#include "pgo/cli/terminal/option_words.h"
#include "pgo/doctor/doctor.h"
#include "pgo/report/doctor_report.h"
#include "pgo/report/json_text.h"

namespace pgo {
namespace {

struct DoctorOptions {
  DoctorRequest request;
  std::vector<std::string> named;  // binaries, by --binary
  bool json = false;
};

// The findings with the command line's words for options.
Findings reworded(const Findings& findings) {
  Findings result;
  for (Finding finding : findings.all()) {
    finding.text = with_option_words(finding.text);
    finding.advice = with_option_words(finding.advice);
    result.add(std::move(finding));
  }
  return result;
}

Result<ExitCode> run(DoctorOptions& options) {
  std::vector<std::string>& binaries = options.request.binaries;
  binaries.insert(binaries.begin(), options.named.begin(), options.named.end());
  options.request.search_path = search_path_from_environment();
  const char* llvm_bolt = std::getenv("PRODPGO_LLVM_BOLT");
  options.request.llvm_bolt = llvm_bolt == nullptr ? "" : llvm_bolt;
  PGO_TRY(DoctorResult result, examine(options.request));
  result.machine = reworded(result.machine);
  for (BinaryFindings& binary : result.binaries) binary.findings = reworded(binary.findings);

  PGO_CHECK(write_file_atomically(
      "-", options.json ? json_text(doctor_json(result)) : doctor_text(result)));
  if (result.has(Verdict::kError)) return kExitError;
  return result.has(Verdict::kMissing) ? kExitNo : kExitDone;
}

}  // namespace

void declare_doctor(CommandLine& line) {
  auto options = std::make_shared<DoctorOptions>();
  DoctorRequest& request = options->request;
  line.argument(
      "BINARY", request.binaries,
      "Also check whether this program or library can be profiled, and optimized by BOLT");
  line.option("-b,--binary", options->named, "The same as BINARY").group(kBinaryGroup);
  line.option("--compiler", request.compilers,
              "The compiler that you use (default: clang-22 or clang, and gcc)")
      .group(kToolGroup);
  add_debug_options(line, request.debug);
  add_jobs_option(line, request.jobs);
  add_json_option(line, options->json);
  line.footer(
      "A warning means that profiles lose something; a missing item must be fixed first; an\n"
      "error means that something could not be checked. With BINARY, the output has all\n"
      "findings about it, but of the machine only the problems. Exit codes: 0 everything required "
      "is\n"
      "present, 1 something is missing, 2 wrong usage or an error.\n"
      "Example:\n"
      "  pgo doctor ./server");
  line.run([options] { return report_any_failure(run(*options), options->json); });
}

}  // namespace pgo
