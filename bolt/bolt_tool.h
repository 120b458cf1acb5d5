// What llvm-bolt and perf2bolt, one program under two names, have in common: how each is asked for
// its version, where its output is kept, and what it means when one fails.
//
//   ToolLimits limits{timeout, &log};
//   PGO_TRY(ProcessResult finished, run_bolt_tool(command, "./server", limits));
//   PGO_CHECK(check_bolt_tool(finished, tool.program, "./server", limits.timeout));
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/base/subprocess.h"

namespace pgo {

// The timeout of a run, unless a request has another.
inline constexpr std::chrono::seconds kDefaultTimeout{3600};

struct ToolLimits {
  std::chrono::milliseconds timeout = kDefaultTimeout;  // time that it has
  std::ostream* log =
      nullptr;  // gets all that it prints, also when it fails; nullptr: nothing does
};

// The path of the program that the user asks for as `program`: a name is looked up in PATH, a path
// is taken as it is. `name` is what it should be. Error: kUnsupported when there is none.
Result<std::string> find_named_tool(const std::string& program, const std::string& name);

// Asks `program` about itself (`question`: --version, --help-hidden). It has
// `timeout` for that, and never more than a minute. Errors: kIo when it cannot be run; kInput when
// it does not end.
Result<std::string> ask_bolt_tool(const std::string& program, const std::string& question,
                                  std::chrono::milliseconds timeout);

// "22.1.8". `name` is what `program` should be. Errors: those above; kUnsupported when it names no
// version.
Result<std::string> read_bolt_tool_version(const std::string& program, const std::string& name,
                                           std::chrono::milliseconds timeout);

// Runs `command`, which reads the ELF file `binary`, to its end, whatever that is. Errors: kIo as
// run_subprocess gives; that of check_inflated_size(), before anything is run.
Result<ProcessResult> run_bolt_tool(const std::vector<std::string>& command,
                                    const std::string& binary, const ToolLimits& limits);

// Did it do its work on `binary`? Errors, with the end of what it said: kUnsupported for what it
// refuses for a reason that a user can do something about, with what to do; kInput when it fails,
// crashes or does not end within `timeout`.
Result<void> check_bolt_tool(const ProcessResult& finished, const std::string& program,
                             const std::string& binary, std::chrono::milliseconds timeout);

}  // namespace pgo
