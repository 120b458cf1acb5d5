// What record() does and did: figures as JSON, and notes and warnings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "pgo/recording/record.h"
#include "pgo/report/message.h"

namespace pgo {

// "perf", "clock", "step", "emulate".
std::string_view engine_name(UsedEngine engine);

// What is said before the command runs.
std::vector<Message> record_start_messages(const RecordStart& start);

nlohmann::json record_json(const RecordRequest& request, const RecordResult& result);
// In the order in which they should be read.
std::vector<Message> record_messages(const RecordRequest& request, const RecordResult& result);

}  // namespace pgo
