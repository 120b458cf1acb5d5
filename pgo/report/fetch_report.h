// What fetch() brought, and how well it represents what there is: a summary for people, and all
// figures as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/fetch/fetch.h"
#include "pgo/report/message.h"

namespace pgo {

// `bundle` is the name of the output.
std::string fetch_text(const FetchResult& result, const std::string& bundle);
nlohmann::json fetch_json(const FetchResult& result);
// In the order in which they should be read.
std::vector<Message> fetch_messages(const FetchResult& result);

}  // namespace pgo
