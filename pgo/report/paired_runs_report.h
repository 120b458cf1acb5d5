// What run_pairs() found, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/paired_runs/paired_runs.h"
#include "pgo/report/message.h"

namespace pgo {

// "pass: the program takes 19.8 % to 21.2 % less CPU time".
std::string runs_sentence(const PairedRunsResult& result, const Limits& limits);
std::string runs_text(const PairedRunsResult& result, const Limits& limits);
nlohmann::json runs_json(const PairedRunsResult& result, const Limits& limits);
// What makes the figures less certain than they look.
std::vector<Message> runs_messages(const PairedRunsResult& result);

}  // namespace pgo
