// What an optimization did, as a short table, as JSON, and as messages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/postlink/optimization.h"
#include "pgo/report/message.h"

namespace pgo {

// Of a result that was optimized: functions, checks, and llvm-bolt's estimate before and after; not
// of inferred counts, for which the estimate means nothing.
std::string format_optimize_report(const OptimizeResult& result);

// Also of one that was not, with why.
nlohmann::json optimize_report_json(const OptimizeResult& result);

// "server is NOT optimized: ..."; of a result with a failure.
Error optimize_failure(const OptimizeResult& result);

// What perf2bolt, llvm-bolt and the choice of options warn of, and what became of the profile.
std::vector<Message> optimize_messages(const OptimizeResult& result);

// What is at the output when the input was not optimized; it comes last, so that it is not
// overlooked.
Message delivery_message(const OptimizeResult& result);

}  // namespace pgo
