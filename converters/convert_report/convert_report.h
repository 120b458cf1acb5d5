// The report that `pgo convert --report` writes: a JSON object with the accounting of samples and
// branch records, the evidence of the counts and their quality, and the digests of the outputs.
#pragma once

#include "pgo/base/bytes.h"

namespace pgo {

// Looks for the report's own keys in what begins like a JSON object; reading it decides. O(size).
bool is_convert_report(Bytes bytes);

}  // namespace pgo
