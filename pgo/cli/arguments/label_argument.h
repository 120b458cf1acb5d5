// KEY=VALUE of --label.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace pgo {

// Error: kUsage for a text without a key or '=', and for a key that comes twice; `twice` is what
// the label is then: "asked for".
Result<Labels> parse_label_arguments(const std::vector<std::string>& texts,
                                     const std::string& twice);

}  // namespace pgo
