// What merge() did: figures as JSON, and notes and warnings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "pgo/merge/merge.h"
#include "pgo/report/message.h"

namespace pgo {

nlohmann::json merge_json(const MergeResult& result);
// In the order in which they should be read.
std::vector<Message> merge_messages(const MergeResult& result);

}  // namespace pgo
