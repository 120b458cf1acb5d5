// FILE=WEIGHT of --weight: "us/=3/2".
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/merge/merge.h"

namespace pgo {

// Parses "FILE=WEIGHT", split at the last '='. Error: kUsage.
Result<InputWeight> parse_input_weight(const std::string& argument);

// "3", "0.5" or "3/2"; more than 0. Error: kUsage.
Result<Weight> parse_weight(const std::string& text);

}  // namespace pgo
