// The result of run_pairs(): as text and Markdown, as JSON, as JUnit XML, and as the JSON of
// github-action-benchmark.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/paired_runs/paired_runs.h"
#include "pgo/report/message.h"

namespace pgo {

// "pass: the new program takes 19.8 % to 21.2 % less CPU time".
std::string runs_sentence(const PairedRunsResult& result, const Limits& limits);
std::string runs_text(const PairedRunsResult& result, const Limits& limits);
std::string runs_markdown(const PairedRunsResult& result, const Limits& limits);
nlohmann::json runs_json(const PairedRunsResult& result, const Limits& limits);
// One test case, for the CPU time.
std::string runs_junit(const PairedRunsResult& result, const Limits& limits);
// The figures of the new program for which smaller is better.
nlohmann::json runs_benchmark_json(const PairedRunsResult& result);
// Warnings: why the figures are less certain than they look.
std::vector<Message> runs_messages(const PairedRunsResult& result);

}  // namespace pgo
