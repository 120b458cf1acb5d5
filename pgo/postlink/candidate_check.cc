#include "pgo/postlink/candidate_check.h"

#include <filesystem>

#include "bolt/bolt_check.h"
#include "bolt/loader_start.h"
#include "pgo/base/shell_word.h"
#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

using State = CheckOutcome::State;

std::string with_path(const std::string& command, const std::string& path) {
  std::string word = shell_word(std::filesystem::absolute(path).string());
  std::string text;
  for (size_t at = 0; at < command.size();) {
    bool here = command.compare(at, 2, "{}") == 0;
    text += here ? word : command.substr(at, 1);
    at += here ? 2 : 1;
  }
  return text;
}

}  // namespace

Result<CheckOutcome> check_same_program(const ElfImage& input, const ElfImage& result) {
  std::vector<std::string> differences = check_equivalence(input, result);
  if (differences.empty()) return CheckOutcome{Check::kElf};
  std::string text;
  for (const std::string& difference : differences) text += "\n  it " + difference;
  return fail(ErrorKind::kMismatch, "the result is not the same program:" + text);
}

Result<CheckOutcome> check_loads(const ElfImage& input, const ElfImage& candidate,
                                 std::chrono::seconds timeout) {
  PGO_TRY(LoaderStart before, start_loader(input, "", timeout));
  if (!before.possible)
    return CheckOutcome{Check::kLoader, State::kSkipped,
                        "the program has no loader, or its loader is not on this system"};
  if (!before.loads)
    return CheckOutcome{Check::kLoader, State::kSkipped,
                        "the input does not load here: " + before.words};
  // The candidate lies elsewhere, so that it finds the same libraries only by their paths.
  PGO_TRY(LoaderStart after, start_loader(candidate, before.library_path(), timeout));
  if (!after.loads) return fail(ErrorKind::kMismatch, "the result does not load: " + after.words);
  if (after.unresolved != before.unresolved)
    return fail(ErrorKind::kMismatch,
                "the result and its input have different undefined symbols when loaded");
  return CheckOutcome{Check::kLoader};
}

Result<CheckOutcome> check_runs(const std::string& command, const std::string& path,
                                std::chrono::seconds timeout) {
  PGO_TRY(ProcessResult finished,
          run_subprocess_within(timeout, {"/bin/sh", "-c", with_path(command, path)}));
  if (finished.exit_status == 0 && !finished.timed_out) return CheckOutcome{Check::kCommand};
  std::string what = "the result does not pass \xFF{check} '" + command + "': ";
  if (finished.timed_out)
    return fail(ErrorKind::kMismatch,
                what + "it did not end within " + std::to_string(timeout.count()) + " s",
                "allow more time with \xFF{timeout}");
  if (finished.exit_status > 128)
    what += "signal " + std::to_string(finished.exit_status - 128);
  else
    what += "exit status " + std::to_string(finished.exit_status);
  const std::string said = stderr_tail(finished);
  const std::string directory = std::filesystem::path(path).parent_path();
  return fail(ErrorKind::kMismatch, what + ": " + said,
              said.find("error while loading shared libraries") == std::string::npos
                  ? ""
                  : "the program under test is in " + (directory.empty() ? "." : directory) +
                        ", as the output will be: put its libraries there (for $ORIGIN), or set "
                        "LD_LIBRARY_PATH in the check");
}

}  // namespace pgo
