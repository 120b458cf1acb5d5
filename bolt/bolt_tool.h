// What llvm-bolt and perf2bolt, one program under two names, have in common: how each is asked for
// its version, and what it means when one fails.
//
//   PGO_TRY(Finished finished, run_subprocess_within(most, command));
//   PGO_CHECK(check_bolt_tool(finished, tool.program, "./server", most));
#pragma once

#include <chrono>
#include <string>

#include "pgo/base/result.h"
#include "pgo/base/subprocess.h"

namespace pgo {

// Time that a run has when nobody says: `pgo bolt` and `pgo convert` take another by --timeout.
inline constexpr std::chrono::seconds kMostForBoltTool{3600};

// "22.1.8". `name` is what `program` should be. Errors: kIo when it cannot be run; kUnsupported
// when it names no version within `most`, and never more than a minute.
Result<std::string> read_bolt_tool_version(const std::string& program, const std::string& name,
                                           std::chrono::milliseconds most);

// Did it do its work on `binary`? Errors, with the end of what it said: kUnsupported for what it
// refuses for a reason that a user can do something about, with what to do; kInput when it fails,
// crashes or does not end within `most`.
Result<void> check_bolt_tool(const Finished& finished, const std::string& program,
                             const std::string& binary, std::chrono::milliseconds most);

}  // namespace pgo
