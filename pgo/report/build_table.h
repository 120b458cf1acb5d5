// The builds that a profile is of (pgo/profile/build_shares.h), and what it counts in all, in words
// and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/profile/build_shares.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {

// "61.5 % in build c0ffee… (/bin/server)".
std::string describe_build(const BuildShare& build);
// A build ID in hexadecimal, or "none".
std::string format_build_id(const std::string& hex);

nlohmann::json address_builds_json(const std::vector<BuildShare>& builds);
nlohmann::json stack_builds_json(const std::vector<BuildShare>& builds);
// {"cpu/nanoseconds": 12000000}.
nlohmann::json totals_json(const std::vector<SampleTotal>& totals);

}  // namespace pgo
