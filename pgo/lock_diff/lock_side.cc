#include "pgo/lock_diff/lock_side.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kGitTimeout{1};

// Git in the directory of a lock file.
class Git {
 public:
  static Result<Git> open(const std::string& lock) {
    const std::optional<std::string> program = find_program("git", search_path_from_environment());
    if (!program)
      return fail(ErrorKind::kUnsupported, "git is not installed, and is needed to read revisions",
                  "name two files");
    const std::string folder = fs::path(lock).parent_path();
    return Git(*program, folder.empty() ? "." : folder);
  }

  Result<ProcessResult> run(std::vector<std::string> arguments) const {
    std::vector<std::string> command = {program_, "-C", folder_};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_subprocess_within(kGitTimeout, command);
  }

 private:
  Git(std::string program, std::string folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}

  std::string program_, folder_;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The digits of the commit that `revision` means.
Result<std::string> find_commit(const Git& git, const std::string& revision) {
  auto unknown = [&](const std::string& why) {
    return fail(ErrorKind::kUsage, "'" + revision + "' is neither a file nor a git revision" +
                                       (why.empty() ? "" : " (" + why + ")"));
  };
  if (revision.empty() || revision.starts_with('-')) return unknown("");
  PGO_TRY(const ProcessResult found,
          git.run({"rev-parse", "--verify", "--quiet", revision + "^{commit}"}));
  if (found.exit_status != 0) return unknown(found.error.empty() ? "" : stderr_tail(found));
  return first_line(found.output);
}

}  // namespace

Result<LockSide> read_working_lock(const std::string& lock, Diagnostics& diagnostics) {
  std::error_code error;
  LockSide side{lock, lock, {}, !fs::exists(lock, error)};
  PGO_TRY(side.lock, read_lock_file(lock, diagnostics, MissingLock::kEmpty));
  return side;
}

Result<LockSide> read_lock_side(const std::string& argument, const std::string& lock,
                                Diagnostics& diagnostics) {
  std::error_code error;
  if (fs::is_regular_file(argument, error)) return read_working_lock(argument, diagnostics);
  PGO_TRY(const Git git, Git::open(lock));
  PGO_TRY(const std::string commit, find_commit(git, argument));
  LockSide side{argument + ":" + lock, lock, {}, false};
  const std::string file = fs::path(lock).filename();
  PGO_TRY(const ProcessResult listed, git.run({"ls-tree", commit, "--", "./" + file}));
  if (listed.exit_status != 0)
    return fail(ErrorKind::kIo, side.name + ": git cannot read it: " + stderr_tail(listed));
  side.is_missing = listed.output.empty();
  if (side.is_missing) return side;
  PGO_TRY(const ProcessResult shown, git.run({"cat-file", "blob", commit + ":./" + file}));
  if (shown.exit_status != 0)
    return fail(ErrorKind::kIo, side.name + ": git cannot read it: " + stderr_tail(shown));
  PGO_TRY(side.lock, parse_lock_file(shown.output, side.name, diagnostics));
  return side;
}

}  // namespace pgo
