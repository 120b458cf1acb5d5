// The result of match() for people and as JSON, and as the one line that a build prints when the
// match rate is too low.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/match/match.h"
#include "pgo/report/option_words_fn.h"

namespace pgo {

// Both name at most `top` functions, those with the most unmatched counts.
nlohmann::json match_json(const MatchResult& result, size_t top);
std::string match_text(const MatchResult& result, size_t top, const OptionWordsFn& words);

// "the function is not in this build", and "no_function": why counts do not match.
std::string match_reason_text(MatchOutcome reason);
std::string match_reason_word(MatchOutcome reason);

// "server: only 25.0 % of the profile server.prof match it. ...": the match rate, the main reason
// with what to do about it, and the functions that it concerns most. Empty when all of it matches.
std::string low_match_line(const MatchResult& result);

}  // namespace pgo
