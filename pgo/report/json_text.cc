#include "pgo/report/json_text.h"

#include <string_view>

namespace pgo {

namespace {

// In ASCII: a terminal obeys some of the other characters, and JSON has escapes for all of them.
std::string ascii_text(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string json_text(const nlohmann::json& json) { return ascii_text(json, 2) + "\n"; }

std::string json_text_with_rows(const nlohmann::json& json, size_t rows,
                                const std::function<nlohmann::json(size_t)>& row_json) {
  constexpr std::string_view kNoRows = "\"rows\": []";
  const std::string others = json_text(json);
  // In texts, quotes have a backslash before them: this is the key.
  const size_t place = others.find(kNoRows);
  std::string text = others.substr(0, place) + "\"rows\": [";
  for (size_t row = 0; row < rows; row++)
    text += (row == 0 ? "\n    " : ",\n    ") + ascii_text(row_json(row), -1);
  return text.append("\n  ]").append(others, place + kNoRows.size());
}

}  // namespace pgo
