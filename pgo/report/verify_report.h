// What verify_release() found: for people as text and Markdown, for programs as JSON, for the test
// pages of CI systems as JUnit XML, and as the JSON of github-action-benchmark.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "converters/flame_graph/flame_page.h"
#include "pgo/report/diff_report.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {

// "pass: a unit of work costs 5.6 % to 7.9 % less": the answer in one sentence, without a full
// stop.
std::string verdict_sentence(const VerifyResult& result);

std::string verify_text(const VerifyResult& result, const DiffTable& table);
std::string verify_markdown(const VerifyResult& result, const DiffTable& table);
// diff_json() of the comparison is its "comparison", without rows.
nlohmann::json verify_json(const VerifyResult& result);
// A test case for the cost and one for the functions; a doubt is a skipped test.
std::string verify_junit(const VerifyResult& result);
// A list of measurements of which the smaller is the better, after the release: "name", "unit",
// "value", "range".
nlohmann::json verify_benchmark_json(const VerifyResult& result);
FlamePage verify_page(const VerifyResult& result);

}  // namespace pgo
