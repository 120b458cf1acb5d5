// Ratios of costs (after / before) as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/verdict/limits.h"
#include "pgo/verify/ratio_estimate.h"

namespace pgo {

// "pass", "fail", "inconclusive".
const char* outcome_word(Outcome outcome);
// "5.6 %" of a change, up or down.
std::string size_text(double change);
// "-5.6 %".
std::string change_text(double ratio);
// "5.6 % to 7.9 % less", "0.4 % less to 0.3 % more".
std::string range_text(const verify::RatioInterval& interval);
// "about 4 times as many hosts are needed to decide".
std::string times_text(double times, const std::string& what);
// Infinite ends are null.
nlohmann::json interval_json(const verify::RatioInterval& interval);

}  // namespace pgo
