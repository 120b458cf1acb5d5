// What cost() found: a summary and a table for people, as text or Markdown, and all figures as
// JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/cost/cost.h"
#include "pgo/report/message.h"

namespace pgo {

struct CostTable {
  size_t top = 20;  // rows
};

std::string costs_text(const CostResult& result, const CostTable& table);
std::string costs_markdown(const CostResult& result, const CostTable& table);
// All but the rows, which may be many: "rows" is empty.
nlohmann::json costs_json(const CostResult& result);
// `json`, which is costs_json() of `result`, as text, with a line for each row.
std::string costs_json_text(const nlohmann::json& json, const CostResult& result);
// In the order in which they should be read.
std::vector<Message> costs_messages(const CostResult& result);

}  // namespace pgo
