// What convert_stacks() did: figures as JSON, and notes and warnings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "pgo/convert/stack_conversion.h"
#include "pgo/report/message.h"

namespace pgo {

nlohmann::json stack_conversion_json(const StackConversion& result);
// In the order in which they should be read.
std::vector<Message> stack_conversion_messages(const StackConversion& result);

}  // namespace pgo
