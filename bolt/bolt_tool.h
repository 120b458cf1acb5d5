// What llvm-bolt and perf2bolt, one program under two names, have in common: how each is asked for
// its version, what it says is kept, and what it means when one fails.
//
//   BoltToolTerms terms{most, &log};
//   PGO_TRY(Finished finished, run_bolt_tool(command, terms));
//   PGO_CHECK(check_bolt_tool(finished, tool.program, "./server", terms.most));
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/base/subprocess.h"

namespace pgo {

// Time that a run has when nobody says: `pgo bolt` and `pgo convert` take another by --timeout.
inline constexpr std::chrono::seconds kMostForBoltTool{3600};

struct BoltToolTerms {
  std::chrono::milliseconds most = kMostForBoltTool;  // time that it has
  std::ostream* log = nullptr;  // gets all that it says, also when it fails; nullptr: nowhere
};

// Asks `program` for what it says of itself (`question`: --version, --help-hidden). It has `most`
// for that, and never more than a minute. Errors: kIo when it cannot be run; kInput when it does
// not end.
Result<std::string> ask_bolt_tool(const std::string& program, const std::string& question,
                                  std::chrono::milliseconds most);

// "22.1.8". `name` is what `program` should be. Errors: those above; kUnsupported when it names no
// version.
Result<std::string> read_bolt_tool_version(const std::string& program, const std::string& name,
                                           std::chrono::milliseconds most);

// Runs `command` to its end, whatever that is. Error: kIo as run_subprocess gives.
Result<Finished> run_bolt_tool(const std::vector<std::string>& command, const BoltToolTerms& terms);

// Did it do its work on `binary`? Errors, with the end of what it said: kUnsupported for what it
// refuses for a reason that a user can do something about, with what to do; kInput when it fails,
// crashes or does not end within `most`.
Result<void> check_bolt_tool(const Finished& finished, const std::string& program,
                             const std::string& binary, std::chrono::milliseconds most);

}  // namespace pgo
