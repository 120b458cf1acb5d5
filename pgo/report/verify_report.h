// The result of verify_release(): as text and Markdown, as JSON, as JUnit XML for CI systems, and
// as the JSON of github-action-benchmark.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "converters/flame_graph/flame_page.h"
#include "pgo/report/diff_report.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {

// "pass: a unit of work costs 5.6 % to 7.9 % less": the verdict in one sentence, without a full
// stop.
std::string verdict_sentence(const VerifyResult& result);

std::string verify_text(const VerifyResult& result, const DiffTable& table);
std::string verify_markdown(const VerifyResult& result, const DiffTable& table);
// Its "comparison" is diff_json() without rows.
nlohmann::json verify_json(const VerifyResult& result);
// One test case for the cost and one for the functions; an inconclusive one is skipped.
std::string verify_junit(const VerifyResult& result);
// The measurements after the release (smaller is better): a list of objects with "name", "unit",
// "value" and "range".
nlohmann::json verify_benchmark_json(const VerifyResult& result);
FlamePage verify_page(const VerifyResult& result);

}  // namespace pgo
