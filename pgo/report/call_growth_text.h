// The growth of functions, split into more calls and dearer calls, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/report/phrase.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {

// "2.1 times as many calls, each 4 % cheaper".
std::string call_growth_text(const CallGrowth& growth);
// "NAME: " and that text, of each grown function whose calls are known.
std::vector<Phrase> call_growth_lines(const VerifyResult& result);
// {"calls_growth": ..., "cost_per_call_growth": ...}, after / before; {} where calls are not known.
nlohmann::json call_growth_json(const GrownFunction& function);

}  // namespace pgo
