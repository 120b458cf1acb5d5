// pgo doctor: is everything here that the job needs, and is a binary fit for it? Each finding says
// what to do about it.

#include <filesystem>
#include <optional>

#include "pgo/base/atomic_file.h"
#include "pgo/base/end_requests.h"
#include "pgo/base/subprocess.h"
#include "pgo/cli/binary_check.h"
#include "pgo/cli/command.h"
#include "pgo/cli/compiler_check.h"
#include "pgo/cli/json_text.h"
#include "pgo/cli/option_checks.h"
#include "pgo/cli/tool_check.h"

namespace pgo {
namespace {

struct DoctorOptions {
  std::vector<std::string> binaries;
  std::vector<std::string> compilers;
  DebugPlaces debug;
  unsigned jobs = 0;
  bool json = false;
};

// What is no file is told before the machine is looked at.
Result<void> check_there(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      return fail(ErrorKind::kUsage, path + ": does not exist");
  }
  return ok();
}

Result<ExitCode> run(const DoctorOptions& options) {
  PGO_CHECK(check_there(options.binaries));
  const std::string search_path = search_path_from_environment();
  nlohmann::json json;
  std::string text;
  bool misses = false, fails = false, warns = false;
  auto report = [&](const std::string& title, const Diagnosis& diagnosis) {
    text += (text.empty() ? "" : "\n") + title + "\n" + diagnosis.text();
    misses |= diagnosis.has(Verdict::kMissing);
    fails |= diagnosis.has(Verdict::kError);
    warns |= diagnosis.has(Verdict::kWarning);
  };

  // The machine.
  Diagnosis machine;
  std::optional<EndRequests> requests(std::in_place);  // compilers are tried in a directory of ours
  PGO_CHECK(check_compilers(options.compilers, search_path, machine));
  check_llvm_tools(search_path, machine);
  check_bolt(search_path, machine);
  PGO_CHECK(check_recording(search_path, machine));
  requests.reset();
  report("This machine:", machine);
  json["machine"] = machine.json();

  // Each binary.
  json["binaries"] = nlohmann::json::array();
  for (const std::string& path : options.binaries) {
    Diagnosis binary;
    check_binary(path, options.debug, options.jobs, binary);
    report(path + ":", binary);
    json["binaries"].push_back({{"path", path}, {"findings", binary.json()}});
  }

  json["ready"] = !misses && !fails;
  if (misses) text += "\nSomething that is needed is missing.\n";
  if (fails) text += "\nNot all could be looked at.\n";
  if (!misses && !fails)
    text += warns ? "\nAll that is needed is there, but for what the warnings say.\n"
                  : "\nAll that is needed is there.\n";
  PGO_CHECK(write_file_atomically("-", options.json ? json_text(json) : text));
  return fails ? kExitError : misses ? kExitNo : kExitDone;
}

}  // namespace

void declare_doctor(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DoctorOptions>();
  app.add_option("-b,--binary,BINARY", options->binaries,
                 "Also look at this program or library: can it be recorded, profiled and BOLTed?");
  app.add_option("--compiler", options->compilers,
                 "The compiler that you use (default: clang-22 or clang, and gcc)")
      ->allow_extra_args(false);
  app.add_option("--debug-file", options->debug.files,
                 "Where the debug information of a stripped binary is")
      ->allow_extra_args(false);
  app.add_option("--debug-root", options->debug.roots,
                 "Directories with debug files by build id (.build-id/ab/cdef….debug) or path")
      ->capture_default_str()
      ->allow_extra_args(false);
  app.add_option("-j,--jobs", options->jobs, "Threads (default: all cores)")->check(whole_number());
  app.add_flag("--json", options->json, "Print JSON");
  app.footer(
      "A warning costs you something, a missing thing stops you, an error kept something from "
      "being\n"
      "looked at. Exit codes: 0 all that is needed is there, 1 something is missing, 2 wrong usage "
      "or\n"
      "an error.\n"
      "Example:\n"
      "  pgo doctor ./server");
  app.callback([options, &exit_code] {
    Result<ExitCode> done = run(*options);
    exit_code = done ? *done : report_error(done.error());
  });
}

}  // namespace pgo
