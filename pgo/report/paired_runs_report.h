// The result of run_pairs() as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/paired_runs/paired_runs.h"
#include "pgo/report/message.h"

namespace pgo {

// "pass: the new program takes 19.8 % to 21.2 % less CPU time".
std::string runs_sentence(const PairedRunsResult& result, const Limits& limits);
std::string runs_text(const PairedRunsResult& result, const Limits& limits);
nlohmann::json runs_json(const PairedRunsResult& result, const Limits& limits);
// Warnings: why the figures are less certain than they look.
std::vector<Message> runs_messages(const PairedRunsResult& result);

}  // namespace pgo
