// JSON as the commands print and write it: indented, and always valid. Paths, event names and
// process names may be any bytes; what is no UTF-8 in them is replaced by U+FFFD.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace pgo {

std::string json_text(const nlohmann::json& json);

// The same with a line for each row: `json` has "rows": [], which gets row_json(0) and so on. They
// may be many, and are never in memory together.
std::string json_text_with_rows(const nlohmann::json& json, size_t rows,
                                const std::function<nlohmann::json(size_t)>& row_json);

// The number with so many decimals: the same digits on every machine.
inline double rounded(double value, int decimals) {
  double scale = 1;
  for (int i = 0; i < decimals; i++) scale *= 10;
  return std::round(value * scale) / scale;
}

// The number, or null.
template <typename Number>
nlohmann::json number_json(const std::optional<Number>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

// Null if it is infinite or not a number: JSON has neither.
inline nlohmann::json finite_json(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

}  // namespace pgo
