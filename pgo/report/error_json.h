// An error as JSON, for commands that were asked for JSON and fail.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pgo/base/result.h"

namespace pgo {

// {"error": {"kind": "usage", "message": "...", "advice": "..."}}; the kinds are usage, input,
// unsupported, mismatch, empty, io and internal.
nlohmann::json error_json(const Error& error);

}  // namespace pgo
