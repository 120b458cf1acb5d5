// What verify_release() found out about the builds of both sides.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/report/phrase.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {

// One line for each build, then the match rate of the profile, then its unreached functions. Empty
// without binaries. Where some builds have notes, of those without only the same programs.
std::vector<Phrase> build_lines(const VerifyResult& result);

// {"builds": [...], "match_rate": ..., "unreached": [...]}, each only where it is known.
nlohmann::json builds_json(const VerifyResult& result);

}  // namespace pgo
