#include "pgo/report/json_text.h"

#include <string_view>

namespace pgo {

std::string json_text(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string json_text_with_rows(const nlohmann::json& json, size_t rows,
                                const std::function<nlohmann::json(size_t)>& row_json) {
  constexpr std::string_view kNoRows = "\"rows\": []";
  std::string lines = "\"rows\": [";
  for (size_t row = 0; row < rows; row++)
    lines += (row == 0 ? "\n    " : ",\n    ") +
             row_json(row).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  lines += "\n  ]";
  std::string text = json_text(json);
  // In texts, quotes have a backslash before them: this is the key.
  return text.replace(text.find(kNoRows), kNoRows.size(), lines);
}

}  // namespace pgo
