// The common mix of work of a standardized comparison (pgo/diff/standardized_rows.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pgo/diff/diff.h"

namespace pgo {

// "endpoint: checkout 30.0 % before, 42.0 % after; search ...": the values with most work first.
std::string mix_text(const DiffResult& result);

nlohmann::json mix_json(const DiffResult& result);

}  // namespace pgo
