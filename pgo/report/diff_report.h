// What diff() found: a table for people, as text or Markdown, all figures as JSON, and what stands
// around the flame graph.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "converters/flame_graph/flame_page.h"
#include "pgo/diff/diff.h"
#include "pgo/report/message.h"

namespace pgo {

struct DiffTable {
  size_t top = 20;            // rows
  bool cumulative = false;    // with what a function calls, instead of itself alone
  bool only_changed = false;  // leave out noise and what is too thin
};

std::string diff_text(const DiffResult& result, const DiffTable& table);
std::string diff_markdown(const DiffResult& result, const DiffTable& table);
// All but the rows, which may be many: "rows" is empty.
nlohmann::json diff_json(const DiffResult& result);
// `json`, which is diff_json() of `result`, as text, with a line for each row.
std::string diff_json_text(const nlohmann::json& json, const DiffResult& result);
nlohmann::json diff_row_json(const DiffRow& row);
FlamePage diff_page(const DiffResult& result);
// In the order in which they should be read.
std::vector<Message> diff_messages(const DiffResult& result);
// The warnings among them.
std::vector<std::string> diff_warnings(const DiffResult& result);

}  // namespace pgo
