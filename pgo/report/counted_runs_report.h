// The result of count_runs(): as text and Markdown, as JSON, as JUnit XML, and as the JSON of
// github-action-benchmark.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/paired_runs/count_runs.h"

namespace pgo {

// "pass: the new program executes 3.1 % fewer instructions and takes 9.8 % fewer branches".
std::string counts_sentence(const CountedRunsResult& result, const Limits& limits);
std::string counts_text(const CountedRunsResult& result, const Limits& limits);
std::string counts_markdown(const CountedRunsResult& result, const Limits& limits);
nlohmann::json counts_json(const CountedRunsResult& result, const Limits& limits);
// One test case, for both counts.
std::string counts_junit(const CountedRunsResult& result, const Limits& limits);
nlohmann::json counts_benchmark_json(const CountedRunsResult& result);

}  // namespace pgo
